import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../../../helpers/test-folder";
import { DevidProcess } from "../../devid-process";

let folder: string;
folderForEachTest((path) => (folder = path));

describe("a check that takes long", () => {
  // 300 alternatives that each need a search.
  const long = `rules:\n${Array.from(
    { length: 300 },
    (_, i) =>
      `  - name: r${i}\n    expression: "any(http.request.headers['X-A'], # contains 'a${i}' && # contains 'b${i}') || http.user_agent.string matches '(a|b|c${i})+d{2,9}' && sdk.version < '${i}.1'"\n    action: ${i % 2 ? "allow" : "deny"}\n`,
  ).join("")}`;

  it.each([
    ["SIGINT", ["rules", "check", "--within", "60s"]],
    ["SIGTERM", ["rules", "check", "--within", "60s"]],
    ["SIGINT", ["rules", "check", "--fix", "--within", "60s"]],
    ["SIGTERM", ["rules", "check", "--fix", "--within", "60s"]],
  ] as const)(
    "ends on %s: devid %j",
    async (signal, args) => {
      const path = join(folder, "long.yaml");
      writeFileSync(path, long);
      const devid = DevidProcess.start([...args, path]);
      // It is in the middle of the check when it has used some processor time.
      // Until then its handlers may answer, with an exit code of their own.
      while (processorSeconds(devid.child.pid ?? 0) < 2)
        await new Promise((resolve) => setTimeout(resolve, 50));
      devid.child.kill(signal);
      const [code, by] = (await once(devid.child, "exit")) as unknown[];
      expect([code ?? by]).toEqual([signal]);
    },
    120_000,
  );
});

/** The processor time of a process so far. */
function processorSeconds(pid: number): number {
  const printed = execFileSync("ps", ["-o", "cputimes=", "-p", String(pid)]);
  return Number(printed.toString().trim());
}
