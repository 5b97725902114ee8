import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WholeCheck } from "../../../cli/src/lsp/whole-check";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

/** In place of `devid`: finds out how many others run, until all could have begun. */
const COUNTING = `
const { mkdirSync, readdirSync, rmdirSync } = require("node:fs");
const own = __dirname + "/runs-" + process.pid;
mkdirSync(own);
setTimeout(() => {
  const running = readdirSync(__dirname).filter((name) => name.startsWith("runs-"));
  console.log(JSON.stringify({ findings: [running.length] }));
  rmdirSync(own);
}, 500);
`;

it("checks of many files run a few at once, and a stopped one does not run", async () => {
  const program = join(folder, "counting.cjs");
  writeFileSync(program, COUNTING);
  const checks = Array.from({ length: 12 }, () => new WholeCheck(program));
  const runs = checks.map((check) => check.run("rules: []"));
  for (const check of checks.slice(6)) check.stop();
  const found = await Promise.all(runs);
  expect(found.slice(6)).toEqual(Array(6).fill(undefined));
  expect(Math.max(...(found.slice(0, 6).flat() as unknown[] as number[]))).toBe(
    4,
  );
});
