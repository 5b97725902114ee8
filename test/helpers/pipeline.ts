import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
  /** What GitHub shows with the run. */
  readonly summary?: string;
}

const Env = z.record(z.string(), z.coerce.string()).default({});

const Step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: Env,
  run: z.string().optional(),
  "working-directory": z.string().optional(),
  env: Env,
});

const Workflow = z.object({
  env: Env,
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      env: Env,
      defaults: z
        .object({ run: z.object({ "working-directory": z.string() }) })
        .optional(),
      strategy: z
        .object({ matrix: z.object({ include: z.array(Env) }) })
        .optional(),
      steps: z.array(Step),
    }),
  ),
});

const GitLabFile = z.object({ variables: Env }).loose();
const Extending = z.looseObject({ extends: z.string().optional() });
const GitLabJob = z.object({
  script: z.array(z.string()),
  variables: Env,
  parallel: z.object({ matrix: z.array(Env) }).optional(),
  needs: z.array(z.unknown()).default([]),
  artifacts: z.object({ paths: z.array(z.string()) }).optional(),
});

/** The file whose lines become variables of later steps. */
const ENV_FILE = ".engine/github-env";
/** The file that is shown with a run. */
const SUMMARY_FILE = ".engine/github-summary";

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
  const known: Record<string, string> = { ...context };
  const value = (expression: string): string => {
    const found = expression
      .split(" || ")
      .map((one) => known[one])
      .find((one) => one !== undefined);
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
  const own = workflow.jobs[job];
  if (!own) throw new Error(`${file} has no job ${job}.`);
  if (own.if !== undefined && !holds(own.if, value))
    return { failed: ["skipped"], output: "" };
  rmSync(join(runner.folder, SUMMARY_FILE), { force: true });
  for (const [name, text] of Object.entries(
    own.strategy?.matrix.include[0] ?? {},
  ))
    known[`matrix.${name}`] ??= text;
  const folder = filled(own.defaults?.run["working-directory"] ?? ".");
  const kept = join(runner.folder, ENV_FILE);
  const made: Record<string, string> = {};
  for (const step of own.steps) {
    const { name = step.uses ?? step.run ?? "", uses, run } = step;
    const isDue =
      step.if === undefined
        ? failed.length === 0
        : holdsAfter(step.if, { isFailed: failed.length > 0, value });
    if (!isDue) continue;
    if (run !== undefined) {
      const env = allFilled({ ...workflow.env, ...own.env, ...step.env });
      const where = step["working-directory"] ?? folder;
      const ran = await runner.shell(`cd "${where}"\n${filled(run)}`, {
        ...variables,
        GITHUB_ENV: kept,
        GITHUB_STEP_SUMMARY: join(runner.folder, SUMMARY_FILE),
        ...made,
        ...env,
      });
      output += ran.output;
      if (ran.code !== 0) failed.push(name);
      for (const [variable = "", text = ""] of assignments(kept)) {
        made[variable] = text;
        known[`env.${variable}`] = text;
      }
    } else if (uses?.startsWith("actions/checkout@"))
      await runner.checkout(filled(step.with.ref ?? value("checkout")));
    else if (uses?.startsWith("actions/upload-artifact@"))
      keep(
        runner,
        filled(step.with.name ?? ""),
        lines(filled(step.with.path ?? "")),
      );
    else if (uses?.startsWith("actions/download-artifact@"))
      take(runner, filled(step.with.name ?? ""), filled(step.with.path ?? "."));
    else if (!SET_UP.test(uses ?? "")) throw new Error(`What does ${uses} do?`);
  }
  const summary = join(runner.folder, SUMMARY_FILE);
  return {
    failed,
    output,
    summary: existsSync(summary) ? readFileSync(summary, "utf8") : "",
  };
}

/** The assignments that a step has left in a file, which is emptied. */
function assignments(path: string): string[][] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  writeFileSync(path, "");
  return lines(text).map((line) => line.split("="));
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
  const own = Extending.parse(file[name]);
  const base = own.extends === undefined ? {} : file[own.extends];
  const { script, variables, needs, artifacts, parallel } = GitLabJob.parse({
    ...(base as object),
    ...own,
  });
  const { matrix = [] } = parallel ?? {};
  const env: Record<string, string> = {};
  const filled = (text: string) =>
    text.replace(
      /\$(\w+)/g,
      (_, variable: string) => given[variable] ?? env[variable] ?? "",
    );
  // Variables of the project, which are given, win over those of the file.
  for (const [key, value] of Object.entries({
    ...matrix[0],
    ...file.variables,
    ...variables,
  }))
    env[key] = filled(value);
  Object.assign(env, given);
  env.CI_JOB_NAME =
    matrix.length === 0
      ? name
      : `${name}: [${Object.values(matrix[0] ?? {}).join(", ")}]`;
  if (needs.length > 0 && existsSync(join(runner.kept, keptAs)))
    take(runner, keptAs, ".");
  const { code, output } = await runner.shell(script.join("\n"), env);
  if (code === 0 && artifacts)
    for (const path of artifacts.paths.map(filled))
      keepPath(runner, keptAs, path);
  return { failed: code === 0 ? [] : [name], output };
}

/** Whether the condition of a job is true; no job is ever cancelled here. */
function holds(
  condition: string,
  value: (expression: string) => string,
): boolean {
  const parts = condition.replace(/^\$\{\{ | \}\}$/g, "").split(" && ");
  if (parts.length > 1) return parts.every((part) => holds(part, value));
  const [left = "", right] = parts[0]?.split(" == ") ?? [];
  if (left === "!cancelled()") return true;
  if (right?.startsWith("'")) return value(left) === right.slice(1, -1);
  return right === undefined
    ? value(left) === "true"
    : value(left) === value(right);
}

/** Whether a step with a condition runs; no job is ever cancelled here. */
function holdsAfter(
  condition: string,
  {
    isFailed,
    value,
  }: { isFailed: boolean; value: (expression: string) => string },
): boolean {
  switch (condition) {
    case "${{ !cancelled() }}":
      return true;
    case "${{ failure() || cancelled() }}":
      return isFailed;
    case "${{ github.event_name == 'workflow_dispatch' }}":
      return !isFailed && holds(condition, value);
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

/** Keeps a file or a folder at its path, as GitLab does. */
function keepPath({ folder, kept }: Runner, name: string, path: string): void {
  if (!existsSync(join(folder, path)))
    throw new Error(`There is no ${path} to keep.`);
  cpSync(join(folder, path), join(kept, name, path), { recursive: true });
}

/** Copies what was kept under a name into a folder of the runner. */
function take({ folder, kept }: Runner, name: string, into: string): void {
  cpSync(join(kept, name), join(folder, into), { recursive: true });
}

const lines = (text = "") => text.split("\n").filter((line) => line !== "");
