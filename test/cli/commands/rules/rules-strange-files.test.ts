import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../../../helpers/test-folder";
import { DevidProcess } from "../../devid-process";

let folder: string;
folderForEachTest((path) => (folder = path));
beforeEach(() => {
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "rules.yaml"), "rules: []\n");
});

const SECRET = "s3cret-of-the-pipeline";

async function run(...args: readonly string[]) {
  const devid = DevidProcess.start(args, { CI_TOKEN: SECRET });
  const code = await devid.ended();
  return { code, text: devid.stdout + devid.stderr };
}

describe("a rule file that a pull request brings", () => {
  const COMMANDS = (path: string): readonly (readonly string[])[] => [
    ["rules", "check", path],
    ["rules", "check", "--fix", path],
    ["rules", "fmt", path],
    ["rules", "test", path],
    ["rules", "diff", join(folder, "rules.yaml"), path],
    ["rules", "review", path, "--base", join(folder, "rules.yaml")],
    ["rules", "check", join(folder, "rules.yaml"), "--baseline", path],
  ];

  it("is refused without a word of what it holds, if it is a link that leads out", async () => {
    const path = join(folder, "link.yaml");
    symlinkSync("/proc/self/environ", path);
    for (const args of COMMANDS(path)) {
      const { code, text } = await run(...args);
      expect(text, args.join(" ")).toContain(
        `${path} cannot be read: it is a link that leads out of ${folder}`,
      );
      expect([code, text.includes(SECRET)]).toEqual([1, false]);
    }
  });

  it("is refused at once if it is a device or a pipe", async () => {
    const pipe = join(folder, "pipe.yaml");
    execFileSync("mkfifo", [pipe]);
    const { code, text } = await run("rules", "check", pipe);
    expect(text).toContain(
      `${pipe} cannot be read: it is a device, a pipe or a socket`,
    );
    expect(code).toBe(1);
    expect((await run("rules", "check", "/dev/zero")).text).toContain(
      "/dev/zero cannot be read: it is a device",
    );
  });
});

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
