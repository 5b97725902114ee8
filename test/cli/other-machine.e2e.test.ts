import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderForEachTest } from "../helpers/test-folder";
import { BIN, DevidProcess } from "./devid-process";

let folder: string;
folderForEachTest((path) => {
  folder = path;
  writeFileSync(join(folder, "rules.yaml"), "rules: []\n");
  writeFileSync(join(folder, "events.ndjson"), "");
  writeFileSync(
    join(folder, "other-machine.cjs"),
    `process.dlopen = (_, file) => {
      const error = new Error("cannot open shared object " + file);
      throw Object.assign(error, { code: "ERR_DLOPEN_FAILED" });
    };`,
  );
});

it.each([
  [
    "a package of another platform",
    ["serve", "--port", "0"],
    /^devid: The command cannot be loaded on this machine: cannot open shared object .+ here again, with npm\.\n$/,
  ],
  [
    "DuckDB of another platform",
    ["rules", "usage", "rules.yaml", "--events", "ndjson:events.ndjson"],
    /^devid: .+ DuckDB, which cannot be loaded on this machine \(cannot open shared object .+npm install @duckdb\/node-api\.\n$/,
  ],
  [
    "a container without git",
    ["rules", "diff", "rules.yaml"],
    /^devid: .+git cannot be started: it is not on the PATH, or .+\n$/,
  ],
] as const)("%s is named, without a stack", async (_, args, said) => {
  const env = {
    NODE_OPTIONS: `--require "${join(folder, "other-machine.cjs")}"`,
    PATH: folder,
  };
  const devid = DevidProcess.start(args, env, "ignore", folder);
  expect(await devid.ended()).toBe(1);
  expect(devid.stderr).toMatch(said);
});

it.each([
  [
    "gone",
    'mkdir gone && cd gone && rmdir "$PWD"',
    "the working folder is gone; change to another one",
  ],
  [
    "named in other bytes than UTF-8",
    `d=$(printf 'caf\\351') && mkdir "$d" && cd "$d" && echo 'rules: []' > r.yaml`,
    "the name of the working folder is not UTF-8; rename it, or work in another one",
  ],
])("a working folder that is %s is named", (_, change, problem) => {
  const script = `${change} && { "$0" "$1" rules check r.yaml 2>&1; echo $?; }`;
  const said = execFileSync("sh", ["-c", script, process.execPath, BIN], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(said).toBe(`devid: r.yaml cannot be read: ${problem}.\n1\n`);
});
