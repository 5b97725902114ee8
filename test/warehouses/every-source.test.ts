// @module-tag clickhouse
// @module-tag trino
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quotedText } from "@devid/warehouse/sql";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClickHouseCluster, TrinoCluster } from "../../tools/warehouse/src";
import { DevidProcess } from "../cli/devid-process";
import { END, event, START } from "../review/replay/random-replay";
import { openDuckDb } from "../warehouse/sql/duckdb";
import { eventTables } from "../warehouse/sql/stored-events";
import { storeInClickHouse, storeInTrino } from "./stored-tables";
import { folderForTests } from "../helpers/test-folder";

// The same events are in files and on servers. Each command that reads past events gives
// the same answer for each of these sources, with each of its options.

const EVENTS = fc.sample(event, { numRuns: 600, seed: 20251120 });
const PASSWORD = "s3cret";
const INSTALLING_MS = 600_000;

const BEFORE = `rules:
  - name: scripts
    expression: http.user_agent.string startsWith 'curl/'
    action: deny
`;
const AFTER = `${BEFORE}  - name: others
    expression: http.request.headers['Origin'][0] != 'https://a.example'
    action: deny
  - name: office
    expression: http.request.ip in cidr('10.0.0.0/8')
    action: deny
`;
const RANGE = [
  ...["--since", new Date(START).toISOString()],
  ...["--until", new Date(END).toISOString()],
];

/** The kinds of sources, and the address of each. */
const sources: Record<string, string> = {};
const KINDS = ["parquet", "ndjson", "clickhouse", "trino"] as const;

const folder = folderForTests();
let clickhouse: ClickHouseCluster;
let trino: TrinoCluster;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  writeFileSync(file("before.yaml"), BEFORE);
  writeFileSync(file("after.yaml"), AFTER);
  writeFileSync(file("mapping.yaml"), "columns:\n  linked_id: url\n");
  await makeFiles();
  clickhouse = await ClickHouseCluster.start({
    reader: { password: PASSWORD, settings: { readonly: 1 } },
  });
  await storeInClickHouse(clickhouse, EVENTS);
  sources.clickhouse = `clickhouse:${clickhouse.urls[0]}?table=events`;
  trino = await TrinoCluster.start(2);
  await storeInTrino(trino, EVENTS);
  sources.trino = `trino:${trino.url}?catalog=memory&schema=default&table=events`;
}, INSTALLING_MS);
afterAll(async () => {
  await clickhouse?.stop();
  await trino?.stop();
});

async function makeFiles(): Promise<void> {
  const lines = EVENTS.map((one) => JSON.stringify(one));
  writeFileSync(file("events.ndjson"), lines.join("\n"));
  sources.ndjson = `ndjson:${file("*.ndjson")}`;
  const duckdb = await openDuckDb();
  for (const sql of eventTables("duckdb", EVENTS)) await duckdb.run(sql);
  const name = quotedText("duckdb", file("events.parquet"));
  await duckdb.run(`COPY events TO ${name} (FORMAT parquet)`);
  sources.parquet = `parquet:${file("*.parquet")}`;
}

/** Runs a command on a source, and returns its output without what names the source. */
async function answer(
  kind: (typeof KINDS)[number],
  command: readonly string[],
): Promise<{ code: number | null; output: string; stderr: string }> {
  const source = sources[kind] ?? "";
  const { code, stdout, stderr } = await DevidProcess.run(
    ["rules", ...command, "--events", source],
    {
      CLICKHOUSE_USER: "reader",
      CLICKHOUSE_PASSWORD: PASSWORD,
      DEVID_ENDPOINT: "http://127.0.0.1:9",
    },
  );
  return { code, output: withoutSource(stdout, source), stderr };
}

const NAMES =
  /(files|events) [^\n]*(parquet|ndjson)[^\n]*|ClickHouse at [^\s"]+|Trino at [^\s"]+/g;

const withoutSource = (text: string, source: string): string =>
  text.replaceAll(source, "SOURCE").replace(NAMES, "SOURCE");

const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
  impact: () => ["impact", file("after.yaml"), "--base", file("before.yaml")],
  diff: () => ["diff", file("before.yaml"), file("after.yaml")],
  usage: () => ["usage", file("after.yaml")],
  review: () => [
    ...["review", file("after.yaml"), "--base", file("before.yaml")],
    "--usage",
  ],
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  impact: ["text", "json", "markdown"],
  diff: ["text", "json", "markdown"],
  usage: ["text", "json", "html"],
  review: ["text", "json", "markdown", "html"],
};
const MORE: Readonly<Record<string, () => readonly string[]>> = {
  alone: () => [],
  "with a mapping": () => ["--mapping", file("mapping.yaml")],
  "with a label": () => ["--by", "bot"],
};

const CASES = Object.keys(COMMANDS).flatMap((name) =>
  Object.keys(MORE)
    .filter((more) => more !== "with a label" || name === "impact")
    .flatMap((more) =>
      (FORMATS[name] ?? []).map((format) => [name, more, format] as const),
    ),
);

it.each(CASES)(
  "the same answer from each source %s %s as %s",
  async (name, more, format) => {
    const command = [
      ...(COMMANDS[name]?.() ?? []),
      ...(MORE[more]?.() ?? []),
      ...RANGE,
      ...["--format", format],
    ];
    const { stderr, ...first } = await answer("parquet", command);
    expect(stderr).toBe("");
    expect(first.output.length).toBeGreaterThan(100);
    // 2: the events lack values that the rules read.
    expect([0, 2]).toContain(first.code);
    for (const kind of KINDS.slice(1)) {
      const { code, output } = await answer(kind, command);
      expect({ kind, code, output }).toEqual({ kind, ...first });
    }
  },
);
