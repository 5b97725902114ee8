import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { END_SIGNALS } from "../../../cli/src/errors";
import { folderForEachTest } from "../../helpers/test-folder";
import { BIN, DevidProcess } from "../devid-process";

const RULES =
  "rules:\n  - { name: bots, expression: 'true  &&  true', action: deny }\n";
const FORMATTED = RULES.replace("true  &&  true", "true && true");

let folder: string;
folderForEachTest((path) => {
  folder = path;
  writeFileSync(join(folder, "rules.yaml"), RULES);
});

/** Runs a command in which each call of a function of `fs` fails with a code. */
async function run(args: readonly string[], call: string, code: string) {
  const hook = join(folder, "fails.cjs");
  writeFileSync(
    hook,
    `require("node:fs").${call} = () => {
      throw Object.assign(new Error("no"), { code: "${code}" });
    };`,
  );
  const env = { NODE_OPTIONS: `--require "${hook}"` };
  const devid = DevidProcess.start(args, env, "ignore", folder);
  return { code: await devid.ended(), stderr: devid.stderr };
}

const read = (name: string) => readFileSync(join(folder, name), "utf8");
const drafts = () =>
  readdirSync(folder).filter((name) => name.startsWith(".devid"));

it.each([
  ["renameSync", "EBUSY", "mounted by itself"],
  ["chmodSync", "EPERM", "on a file system without modes"],
  ["renameSync", "EXDEV", "of another layer"],
])(
  "a file of which %s answers %s, as one %s, is written in place",
  async (call, code) => {
    expect((await run(["rules", "fmt", "rules.yaml"], call, code)).code).toBe(
      0,
    );
    expect(read("rules.yaml")).toBe(FORMATTED);
    expect(drafts()).toEqual([]);
  },
);

const FMT = ["rules", "fmt", "rules.yaml"];

it.each([
  ["a rule file", FMT, "renameSync", "rules.yaml", RULES],
  ["an earlier report", report("old.json"), "writeSync", "old.json", "old"],
  ["a link to one", report("link.json"), "writeSync", "old.json", "old"],
])("%s stays if there is no space", async (_, args, call, file, text) => {
  writeFileSync(join(folder, "old.json"), "old");
  symlinkSync("old.json", join(folder, "link.json"));
  const { code, stderr } = await run(args, call, "ENOSPC");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("cannot be written: the disk is full."),
  ]);
  expect(read(file)).toBe(text);
  expect(drafts()).toEqual([]);
});

it("a report goes to an earlier one that may be written and not read", async () => {
  writeFileSync(join(folder, "old.json"), "a longer text ".repeat(1_000));
  const refuses = `fs.accessSync = refuse;
    const { openSync } = fs;
    fs.openSync = (path, how, ...more) =>
      how === "r+" ? refuse() : openSync(path, how, ...more);`;
  writeFileSync(
    join(folder, "write-only.cjs"),
    `const fs = require("node:fs");
    const refuse = () => { throw Object.assign(new Error("no"), { code: "EACCES" }); };
    ${refuses}`,
  );
  const env = { NODE_OPTIONS: `--require "${join(folder, "write-only.cjs")}"` };
  const args = report("old.json");
  const devid = DevidProcess.start(args, env, "ignore", folder);
  await devid.ended();
  expect(JSON.parse(read("old.json"))).toMatchObject({ version: 1 });
});

it("an earlier report keeps its other names", async () => {
  writeFileSync(join(folder, "old.json"), "a longer text ".repeat(1_000));
  linkSync(join(folder, "old.json"), join(folder, "name.json"));
  const devid = DevidProcess.start(report("old.json"), {}, "ignore", folder);
  await devid.ended();
  expect(JSON.parse(read("name.json"))).toMatchObject({ version: 1 });
});

it("a report goes to a standard output that is a file without a name, as that of a program may be", () => {
  const output = openSync(join(folder, "gone"), "w+");
  rmSync(join(folder, "gone"));
  const stdio = ["ignore", output, "inherit"] as const;
  const args = [BIN, ...report("/dev/stdout")];
  spawnSync(process.execPath, args, { cwd: folder, stdio: [...stdio] });
  expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({
    version: 1,
  });
});

it("a new report of which the disk takes a part only is removed", async () => {
  const { code } = await run(report("new.json"), "writeFileSync", "ENOSPC");
  expect(code).toBe(1);
  expect(existsSync(join(folder, "new.json"))).toBe(false);
});

it.each(END_SIGNALS)(
  "%s ends a command whose report waits for the reader of a pipe",
  async (signal) => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const devid = DevidProcess.start(report("pipe"), {}, "ignore", folder);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    devid.child.kill(signal);
    await devid.ended();
    expect(devid.child.signalCode).toBe(signal);
  },
);

function report(out: string): readonly string[] {
  return ["rules", "check", "rules.yaml", "--format", "json", "--out", out];
}
