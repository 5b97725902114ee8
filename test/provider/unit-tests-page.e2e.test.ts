import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { makeWorkFolder } from "../helpers/engine-stack";
import { FORMS } from "../helpers/program-form";
import { textOf } from "../helpers/repository";
import { blockOf } from "../helpers/page-blocks";

// The program and the test that docs/unit-tests.md shows, compiled and run as a user would.

const run = promisify(execFile);
const IMPORTED = { dynamic: "@devid/pulumi", plugin: "@devid/pulumi/plugin" };

const folder = makeWorkFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the tests of the page pass with the program, in both forms", async () => {
  const page = textOf("docs/unit-tests.md");
  const blocks = page.matchAll(/^```ts\n(\/\/ (\S+)\n.*?)^```$/gms);
  const sources: string[] = [];
  for (const [, code = "", name = ""] of blocks)
    for (const form of FORMS) {
      mkdirSync(join(folder, form), { recursive: true });
      const path = join(folder, form, name);
      writeFileSync(
        path,
        code.replace('"@devid/pulumi"', `"${IMPORTED[form]}"`),
      );
      sources.push(path);
    }
  expect(sources).toHaveLength(4);
  const [compile = [], test = []] = blockOf(page, "sh")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  expect([compile.slice(0, 2), test.slice(0, 2)]).toEqual([
    ["npx", "tsc"],
    ["node", "--test"],
  ]);
  for (const form of FORMS) {
    const cwd = join(folder, form);
    await run(
      process.execPath,
      [require.resolve("typescript/bin/tsc"), ...compile.slice(2)],
      { cwd },
    );
    const { stdout } = await run(
      process.execPath,
      ["--test-reporter=tap", ...test.slice(1)],
      { cwd, env: { PATH: process.env.PATH } },
    );
    expect(stdout, stdout).toMatch(/^# pass 3$/m);
  }
}, 60_000);
