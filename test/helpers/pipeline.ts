import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** The machine that runs a pipeline's jobs. */
export interface Runner {
  /** The folder in which commands run. */
  readonly folder: string;
  /** Folder for the files that jobs keep, with a subfolder for each name. */
  readonly kept: string;
  /** Runs a command, which stops at its first failure. */
  shell(
    command: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ code: number; output: string }>;
  /** Replaces the content of the folder with a fresh copy of a commit. */
  checkout(ref: string): Promise<void>;
}

/** The result of a pipeline's job. */
export interface JobRun {
  /** Names of the steps that failed. */
  readonly failed: readonly string[];
  readonly output: string;
}

const Env = z.record(z.string(), z.coerce.string()).default({});

const Step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: Env,
  run: z.string().optional(),
  env: Env,
});

const Workflow = z.object({
  env: Env,
  jobs: z.record(
    z.string(),
    z.object({ if: z.string().optional(), steps: z.array(Step) }),
  ),
});

const GitLabFile = z.object({ variables: Env }).loose();
const GitLabJob = z.object({
  script: z.array(z.string()),
  variables: Env,
  needs: z.array(z.string()).default([]),
  artifacts: z.object({ paths: z.array(z.string()) }).optional(),
});

/** Steps with GitHub's actions that have no effect here. */
const SET_UP = /^(actions\/setup-node|pulumi\/actions)@/;

/**
 * Runs a job of a GitHub workflow, as the checked out file defines it.
 * Expressions in `${{ }}` are looked up in `context`; `context.checkout` is the
 * commit to check out by default.
 * @throws Error for an expression that the context does not have, and for an
 * unknown action
 */
export async function runGitHubJob(
  runner: Runner,
  file: string,
  job: string,
  context: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Promise<JobRun> {
  const value = (expression: string) => {
    const found = context[expression];
    if (found === undefined) throw new Error(`No ${expression} here.`);
    return found;
  };
  const filled = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
      value(expression),
    );
  const allFilled = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, filled(text)]),
    );
  const failed: string[] = [];
  let output = "";

  const path = join(runner.folder, ".github/workflows", file);
  await runner.checkout(value("checkout"));
  const workflow = Workflow.parse(parse(readFileSync(path, "utf8")));
  const { if: condition, steps } = workflow.jobs[job] ?? { steps: [] };
  if (condition !== undefined && !holds(condition, value))
    return { failed: ["skipped"], output: "" };
  for (const step of steps) {
    const { name = step.uses ?? step.run ?? "", uses, run } = step;
    const isDue =
      step.if === undefined
        ? failed.length === 0
        : holdsAfter(step.if, failed.length > 0);
    if (!isDue) continue;
    if (run !== undefined) {
      const env = allFilled({ ...workflow.env, ...step.env });
      const ran = await runner.shell(run, { ...variables, ...env });
      output += ran.output;
      if (ran.code !== 0) failed.push(name);
    } else if (uses?.startsWith("actions/checkout@"))
      await runner.checkout(filled(step.with.ref ?? value("checkout")));
    else if (uses?.startsWith("actions/upload-artifact@"))
      keep(runner, filled(step.with.name ?? ""), lines(step.with.path));
    else if (uses?.startsWith("actions/download-artifact@"))
      take(runner, filled(step.with.name ?? ""));
    else if (!SET_UP.test(uses ?? "")) throw new Error(`What does ${uses} do?`);
  }
  return { failed, output };
}

/**
 * Runs a job's script of `.gitlab-ci.yml` in one shell session. Its artifacts
 * are kept under `keptAs`, where later jobs find them.
 */
export async function runGitLabJob(
  runner: Runner,
  name: string,
  {
    checkout,
    keptAs,
    ...given
  }: { checkout: string; keptAs: string } & Record<string, string>,
): Promise<JobRun> {
  await runner.checkout(checkout);
  const text = readFileSync(join(runner.folder, ".gitlab-ci.yml"), "utf8");
  const file = GitLabFile.parse(parse(text));
  const { script, variables, needs, artifacts } = GitLabJob.parse(file[name]);
  if (needs.length > 0) take(runner, keptAs);
  const env = { ...given };
  for (const [key, value] of Object.entries({
    ...file.variables,
    ...variables,
  }))
    env[key] = value.replace(
      /\$(\w+)/g,
      (_, variable: string) => given[variable] ?? "",
    );
  const { code, output } = await runner.shell(script.join("\n"), env);
  if (code === 0 && artifacts) keep(runner, keptAs, artifacts.paths);
  return { failed: code === 0 ? [] : [name], output };
}

/** Whether the condition of a job is true. */
function holds(condition: string, value: (expression: string) => string) {
  const [left = "", right] = condition.split(" == ");
  return right === undefined
    ? value(left) === "true"
    : value(left) === value(right);
}

/** Whether a step with a condition runs; no job is ever cancelled here. */
function holdsAfter(condition: string, isFailed: boolean): boolean {
  switch (condition) {
    case "${{ !cancelled() }}":
      return true;
    case "${{ failure() || cancelled() }}":
      return isFailed;
    default:
      throw new Error(`When does ${condition} hold?`);
  }
}

/** Keeps files of the runner's folder under a name. */
function keep({ folder, kept }: Runner, name: string, files: string[]): void {
  mkdirSync(join(kept, name), { recursive: true });
  for (const file of files) {
    if (!existsSync(join(folder, file)))
      throw new Error(`There is no ${file} to keep.`);
    cpSync(join(folder, file), join(kept, name, basename(file)));
  }
}

/** Copies the files that were kept under a name into the runner's folder. */
function take({ folder, kept }: Runner, name: string): void {
  cpSync(join(kept, name), folder, { recursive: true });
}

const lines = (text = "") => text.split("\n").filter((line) => line !== "");
