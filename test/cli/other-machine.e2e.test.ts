import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderForEachTest } from "../helpers/test-folder";
import { DevidProcess } from "./devid-process";

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
    /^devid: .+git cannot be started: it is not on the PATH.+\n$/,
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
