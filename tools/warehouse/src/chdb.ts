import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installed } from "./installed.js";

const VERSION = "3.4.0";

/** A current ClickHouse in this process. */
export interface Chdb {
  /** The answer to a statement, in the format JSONCompactEachRow. */
  query(sql: string): string;
  close(): void;
}

/**
 * Opens an empty ClickHouse. If ClickHouse is missing, it is installed with npm: 550
 * MB.
 */
export async function openChdb(): Promise<Chdb> {
  const folder = await installed({
    name: `chdb-${VERSION}`,
    usually: "half a minute",
    fill: (place, run) =>
      run(
        place,
        "npm",
        ...["install", "--prefix", place, "--no-save", "--ignore-scripts"],
        `chdb@${VERSION}`,
      ),
  });
  const { Session } = createRequire(join(folder, "/"))("chdb") as {
    Session: new (folder: string) => {
      query(sql: string, format: string): string;
      cleanup(): void;
    };
  };
  const data = mkdtempSync(join(tmpdir(), "devid-chdb-"));
  const session = new Session(data);
  session.query("CREATE DATABASE d ENGINE = Atomic", "Null");
  session.query("USE d", "Null");
  // The same settings as the client of the warehouse sends.
  session.query(
    `SET max_query_size = ${16 * 2 ** 20}, max_ast_elements = 1000000`,
    "Null",
  );
  return {
    query: (sql) => session.query(sql, "JSONCompactEachRow"),
    close() {
      session.cleanup();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
