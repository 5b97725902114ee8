import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { makeWorkFolder } from "../helpers/engine-stack";
import { FORMS } from "../helpers/program-form";

// The program and the test that docs/unit-tests.md shows, compiled and run as a user would.

const run = promisify(execFile);
const PAGE = resolve(__dirname, "../../docs/unit-tests.md");
const IMPORTED = { dynamic: "@devid/pulumi", plugin: "@devid/pulumi/plugin" };

const folder = makeWorkFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the tests of the page pass with the program, in both forms", async () => {
  const blocks = readFileSync(PAGE, "utf8").matchAll(
    /^```ts\n(\/\/ (\S+)\n.*?)^```$/gms,
  );
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
  const flags = ["--strict", "--skipLibCheck", "--target", "es2022"];
  const modules = ["--module", "node16", "--moduleResolution", "node16"];
  await run(
    process.execPath,
    [require.resolve("typescript/bin/tsc"), ...flags, ...modules, ...sources],
    { cwd: folder },
  );
  for (const form of FORMS) {
    const { stdout } = await run(
      process.execPath,
      ["--test", "--test-reporter=tap", join(folder, form, "shop.test.js")],
      { cwd: folder, env: { PATH: process.env.PATH } },
    );
    expect(stdout, stdout).toMatch(/^# pass 3$/m);
  }
}, 60_000);
