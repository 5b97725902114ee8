import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runAction, type JobRun, type Runner } from "../helpers/pipeline";

// The steps of review/action.yml, run by bash. The programs that they start only record
// their keys; gitops.e2e.test.ts runs the real programs.

const KEYS = [
  "DEVID_MANAGEMENT_KEY",
  "DEVID_SECRET_KEY",
  "PULUMI_ACCESS_TOKEN",
  "GITHUB_TOKEN",
];
const INPUTS = {
  stack: "prod",
  "management-key": "m",
  "secret-key": "s",
  "pulumi-access-token": "p",
};

let folder: string;
let runner: Runner;
const log = () => join(folder, "log");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "review-action-"));
  const commands = join(folder, "commands");
  mkdirSync(commands);
  for (const name of ["npx", "pulumi", "node"])
    writeFileSync(
      join(commands, name),
      `#!/bin/bash
echo "${name} $*" >>"${log()}"
for key in ${KEYS.join(" ")}; do [ -z "\${!key}" ] || echo "  $key" >>"${log()}"; done
`,
      { mode: 0o755 },
    );
  const PATH = [commands, process.env.PATH].join(delimiter);
  runner = {
    folder,
    kept: join(folder, "kept"),
    checkout: async () => {},
    shell: (command, env) =>
      new Promise((done) =>
        execFile(
          "bash",
          ["-e", "-c", command],
          { cwd: folder, env: { PATH, ...env } },
          (error, stdout, stderr) =>
            done({ code: Number(error?.code ?? 0), output: stdout + stderr }),
        ),
      ),
  };
});

beforeEach(() => writeFileSync(log(), ""));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (
  event: string,
  inputs: Record<string, string> = {},
): Promise<JobRun> =>
  runAction(
    runner,
    "review",
    { ...INPUTS, ...inputs },
    {
      context: {
        "github.event_name": event,
        "github.event.pull_request.number": "7",
        "github.token": "t",
      },
      env: {},
    },
  );

/** The programs that were started, each with its keys. */
const started = () =>
  readFileSync(log(), "utf8")
    .split(/\n(?! )/)
    .filter(Boolean)
    .map((text) => text.split("\n  "));

it("the review action runs nothing for the event that would give keys to a fork", async () => {
  const { failed, output } = await run("pull_request_target");
  expect(failed).toEqual(["Refuse a pull request that could take the keys"]);
  expect(output).toContain("use pull_request.");
  expect(started()).toEqual([]);
});

it("the review action gives the keys only to the review, and the token only to the comment", async () => {
  expect((await run("pull_request")).failed).toEqual([]);
  const programs = started();
  const [comment = []] = programs.splice(-1);
  expect(comment[0]).toMatch(/^node .*\/ci\/comment\.mjs review$/);
  expect(comment.slice(1)).toEqual(["GITHUB_TOKEN"]);
  expect(
    programs.map(([line = ""]) => line.split(" ").slice(0, 5).join(" ")),
  ).toEqual([
    "npx --no devid rules in-force",
    "pulumi preview --stack prod --json",
    "npx --no devid rules check",
    "npx --no devid rules test",
    "npx --no devid rules review",
  ]);
  for (const [line, ...keys] of programs)
    expect(keys, line).toEqual(KEYS.slice(0, 3));
});

it("the review action reports for a fork, which has no keys, why the service is not asked", async () => {
  const { failed, output } = await run("pull_request", {
    "management-key": "",
    "secret-key": "",
    "pulumi-access-token": "",
  });
  expect(failed).toEqual(["Review"]);
  expect(output).toContain("A pull request from a fork is given no secrets");
  const programs = started().map(([line = "", ...keys]) => [
    line.split(" ").slice(0, 5).join(" "),
    keys,
  ]);
  expect(programs.slice(0, -1)).toEqual([
    ["npx --no devid rules check", []],
    ["npx --no devid rules test", []],
    ["npx --no devid rules review", []],
  ]);
});

it("the review action passes on its arguments, and runs no command in them", async () => {
  const made = join(folder, "made");
  await run("pull_request", {
    arguments: `--fail-on newly-denied>5% --max-undetermined * $(touch ${made}) ; touch ${made}`,
  });
  const review = started().find(([line]) => line?.includes("rules review"));
  expect(review?.[0]).toContain(
    `--fail-on newly-denied>5% --max-undetermined * $(touch ${made}) ; touch ${made}`,
  );
  expect(() => readFileSync(made)).toThrow("ENOENT");
});
