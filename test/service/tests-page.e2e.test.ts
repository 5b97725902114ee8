import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { makeWorkFolder } from "../helpers/engine-stack";
import { ROOT, textOf } from "../helpers/repository";
import { blockOf, sectionOf } from "../helpers/page-blocks";

// What docs/local-service-in-tests.md shows, run as it stands.

const run = promisify(execFile);
const PAGE = textOf("docs/local-service-in-tests.md");
const DEVID = join(ROOT, "cli/bin/devid.js");

const folder = makeWorkFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { PATH: process.env.PATH, HOME: folder };
const inFolder = { cwd: folder, env: environment };

/** The example of a language under a heading. */
const example = (heading: string, language: string) =>
  blockOf(sectionOf(PAGE, heading), language);

for (const [, code = "", name = ""] of PAGE.matchAll(
  /^```js\n(\/\/ (\S+)\n.*?)^```$/gms,
))
  writeFileSync(join(folder, name), code);

it("Vitest: one service for all test files", async () => {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", folder, "shop.test.mjs"];
  const { stdout } = await run(process.execPath, args, inFolder);
  expect(stdout).toMatch(/1 passed/);
});

it("Jest: the set-up leaves nothing that runs, once the other file has stopped it", async () => {
  const script =
    'import("./local-service.mjs").then((up) => up.default()).then(() => fetch(process.env.DEVID_ENDPOINT + "/openapi.json")).then(({ status }) => console.log(status)).then(() => import("./stop-local-service.mjs")).then((down) => down.default())';
  const { stdout } = await run(process.execPath, ["-e", script], inFolder);
  expect(stdout).toBe("200\n");
});

it("Node's own test runner", async () => {
  const [node, ...args] = example("Node's own test runner", "sh")
    .trim()
    .split(" ");
  expect(node).toBe("node");
  const { stdout } = await run(
    process.execPath,
    ["--test-reporter=tap", ...args],
    inFolder,
  );
  expect(stdout, stdout).toMatch(/^# pass 1$/m);
});

it("a step of a pipeline", async () => {
  const lines = example("A step of a pipeline", "sh").replaceAll(
    "npx --no devid",
    `"${process.execPath}" "${DEVID}"`,
  );
  const script = `${lines}
"${process.execPath}" "${DEVID}" whoami
kill %1 && wait %1`;
  const { stdout } = await run("bash", ["-c", script], inFolder);
  expect(stdout).toMatch(/local/);
});
