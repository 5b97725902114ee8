import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { textOf } from "../helpers/repository";

// review/action.yml as GitHub reads it, and its commands run by bash. What they start only notes its arguments;
// gitops.e2e.test.ts runs the real command.

const Step = z.looseObject({
  name: z.string(),
  if: z.string().optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  with: z.record(z.string(), z.unknown()).default({}),
});
const text = textOf("review/action.yml");
const { inputs, runs } = z
  .looseObject({
    inputs: z.record(
      z.string(),
      z.looseObject({ default: z.string().optional() }),
    ),
    runs: z.looseObject({ steps: z.array(Step) }),
  })
  .parse(parse(text));
const [refuse, review, keep] = runs.steps;

const KEYS = [
  "DEVID_MANAGEMENT_KEY",
  "DEVID_SECRET_KEY",
  "GITHUB_TOKEN",
  "PULUMI_ACCESS_TOKEN",
];

let folder: string;
const log = () => join(folder, "log");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "review-action-"));
  writeFileSync(
    join(folder, "npx"),
    `#!/bin/bash
for word in "$@"; do echo "$word" >>"${log()}"; done
`,
    { mode: 0o755 },
  );
});
beforeEach(() => writeFileSync(log(), ""));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command of the review with inputs; returns the words that npx was given. */
function reviewed(given: Record<string, string>): Promise<string[]> {
  const valueOf = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
      const input = inputs[name];
      if (!input) throw new Error(`There is no input ${name}.`);
      return given[name] ?? input.default ?? "";
    });
  const env = Object.entries(review?.env ?? {}).map(
    ([name, text]) => [name, valueOf(text)] as const,
  );
  return new Promise((done) =>
    execFile(
      "bash",
      ["-e", "-c", review?.run ?? ""],
      {
        cwd: folder,
        env: {
          PATH: [folder, process.env.PATH].join(delimiter),
          ...Object.fromEntries(env),
        },
      },
      () => done(readFileSync(log(), "utf8").trim().split("\n")),
    ),
  );
}

it("the review action uses exactly its inputs", () => {
  const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(
    ([, name = ""]) => name,
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
});

it("the review action refuses the event that would give keys to a fork, before anything else", () => {
  expect(refuse?.if).toBe("github.event_name == 'pull_request_target'");
  expect(refuse?.run).toMatch(/use pull_request\.[^]*exit 1/);
});

it("the review action gives the keys to devid ci review alone", async () => {
  expect(Object.keys(review?.env ?? {})).toEqual(expect.arrayContaining(KEYS));
  for (const { name, env, with: given } of [refuse, keep].filter(
    Boolean,
  ) as z.output<typeof Step>[])
    expect(JSON.stringify([env, given]), name).not.toMatch(/key|token/i);
  expect(await reviewed({ stack: "prod" })).toEqual([
    ...["--no", "devid", "ci", "review", "rules.yaml", "--base"],
    ...["origin/main", "--policy-pack", "", "--pull-request", ""],
    ...["--fail-on", "plan-differs", "--fail-on", "gets-through"],
  ]);
});

it("the review action keeps what devid ci review has kept, and only if nothing fails", () => {
  expect(keep?.uses).toMatch(/^actions\/upload-artifact@[0-9a-f]{40}$/);
  // A step without a condition runs only after success.
  expect(keep?.if).toBeUndefined();
  expect(keep?.with).toMatchObject({
    name: "${{ steps.review.outputs.artifact }}",
    path: "${{ steps.review.outputs.plan }}",
    overwrite: true,
    "if-no-files-found": "error",
  });
});

it("the review action passes on its arguments, and runs no command in them", async () => {
  const made = join(folder, "made");
  const commit = "c0ffee".padEnd(40, "0");
  const words = await reviewed({
    commit,
    arguments: `--fail-on newly-denied>5% --max-undetermined * $(touch ${made}) ; touch ${made}`,
  });
  expect(words.slice(11)).toEqual([
    ...["--commit", commit, "--fail-on", "newly-denied>5%"],
    ...["--max-undetermined", "*", "$(touch", `${made})`, ";", "touch", made],
  ]);
  expect(() => readFileSync(made)).toThrow("ENOENT");
});
