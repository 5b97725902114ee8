import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
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
  /**
   * Names of the steps that failed. For an action of this repository, names of the
   * action's steps.
   */
  readonly failed: readonly string[];
  readonly output: string;
  /** What GitHub shows with the run. */
  readonly summary?: string;
}

const Env = z.record(z.string(), z.coerce.string()).default({});

const Step = z.object({
  id: z.string().optional(),
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

type Steps = z.output<typeof Step>[];

const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  runs: z.object({ using: z.literal("composite"), steps: z.array(Step) }),
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

/** An action of this repository: its folder. */
const OWN_ACTION = /^devid\/devid\/(\w+)@[0-9a-f]{40}$/;

type Texts = Readonly<Record<string, string>>;

/**
 * Runs a job of a GitHub workflow, as the checked out file defines it, with the actions
 * of this working copy. Expressions in `${{ }}` are looked up in `context`;
 * `context.checkout` is the commit to check out by default.
 * @throws Error for an expression that the context does not have, and for an
 * unknown action
 */
export async function runGitHubJob(
  runner: Runner,
  file: string,
  job: string,
  context: Texts,
  variables: Texts,
): Promise<JobRun> {
  const run = new GitHubRun(runner, context);
  const path = join(runner.folder, ".github/workflows", file);
  await runner.checkout(run.value("checkout"));
  const workflow = Workflow.parse(parse(readFileSync(path, "utf8")));
  const own = workflow.jobs[job];
  if (!own) throw new Error(`${file} has no job ${job}.`);
  if (own.if !== undefined && !holds(own.if, run.value))
    return { failed: ["skipped"], output: "" };
  const summary = join(runner.folder, SUMMARY_FILE);
  rmSync(summary, { force: true });
  for (const [name, text] of Object.entries(
    own.strategy?.matrix.include[0] ?? {},
  ))
    run.known[`matrix.${name}`] ??= text;
  const env = run.allFilled({ ...workflow.env, ...own.env });
  for (const [name, text] of Object.entries(env))
    run.known[`env.${name}`] = text;
  const failed = await run.steps(own.steps, {
    env: { ...variables, ...env },
    folder: run.filled(own.defaults?.run["working-directory"] ?? "."),
  });
  return {
    failed,
    output: run.output,
    summary: existsSync(summary) ? readFileSync(summary, "utf8") : "",
  };
}

/**
 * Runs an action of this repository without a workflow.
 * @param name its folder
 * @param inputs the values of `with`
 */
export async function runAction(
  runner: Runner,
  name: string,
  inputs: Texts,
  { context, env }: { context: Texts; env: Texts },
): Promise<JobRun> {
  const run = new GitHubRun(runner, context);
  const failed = await run.action(name, inputs, env);
  return { failed, output: run.output };
}

/** A job while it runs, or an action. */
class GitHubRun {
  output = "";
  /** The values of expressions. */
  readonly known: Record<string, string>;
  /** The variables that steps have set for later steps. */
  readonly #made: Record<string, string>;

  constructor(
    private readonly runner: Runner,
    known: Texts,
    made: Record<string, string> = {},
  ) {
    this.known = { ...known };
    this.#made = made;
  }

  readonly value = (expression: string): string => {
    const found = expression
      .split(" || ")
      .map((one) => this.known[one])
      .find((one) => one !== undefined);
    if (found === undefined) throw new Error(`No ${expression} here.`);
    return found;
  };

  readonly filled = (text: string): string =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
      this.value(expression),
    );

  allFilled(texts: Texts): Texts {
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, this.filled(text)]),
    );
  }

  /** Runs steps, and returns the names of the steps that failed. */
  async steps(
    steps: Steps,
    where: { env: Texts; folder: string },
  ): Promise<string[]> {
    const failed: string[] = [];
    for (const step of steps) {
      const isDue =
        step.if === undefined
          ? failed.length === 0
          : holdsAfter(step.if, failed.length > 0, this.value);
      const now = isDue ? await this.#step(step, where) : [];
      failed.push(...now);
      if (step.id !== undefined)
        this.known[`steps.${step.id}.outcome`] = !isDue
          ? "skipped"
          : now.length > 0
            ? "failure"
            : "success";
    }
    return failed;
  }

  /** Runs the steps of an action of this repository. The steps see the action's inputs. */
  async action(name: string, inputs: Texts, env: Texts): Promise<string[]> {
    const folder = resolve(__dirname, "../..", name);
    const text = readFileSync(join(folder, "action.yml"), "utf8");
    const action = Action.parse(parse(text));
    const unknown = Object.keys(inputs).filter(
      (input) => !Object.hasOwn(action.inputs, input),
    );
    if (unknown.length > 0)
      throw new Error(`The action ${name} has no input ${unknown.join(", ")}.`);
    // An action sees neither secrets nor the matrix.
    const seen = Object.entries(this.known).filter(([one]) =>
      one.startsWith("github."),
    );
    const run = new GitHubRun(
      this.runner,
      Object.fromEntries(seen),
      this.#made,
    );
    for (const [input, { default: preset = "" }] of Object.entries(
      action.inputs,
    ))
      run.known[`inputs.${input}`] = inputs[input] ?? run.filled(preset);
    const failed = await run.steps(action.runs.steps, {
      env: { ...env, GITHUB_ACTION_PATH: folder },
      folder: ".",
    });
    this.output += run.output;
    return failed;
  }

  async #step(
    step: Steps[number],
    where: { env: Texts; folder: string },
  ): Promise<string[]> {
    const { name = step.uses ?? step.run ?? "", uses = "", run } = step;
    const given = this.allFilled(step.with);
    const [, own] = OWN_ACTION.exec(uses) ?? [];
    if (run !== undefined) {
      const code = await this.#shell(run, {
        env: { ...where.env, ...this.#made, ...this.allFilled(step.env) },
        folder: this.filled(step["working-directory"] ?? where.folder),
      });
      return code === 0 ? [] : [name];
    }
    if (own !== undefined) return this.action(own, given, where.env);
    if (uses.startsWith("actions/checkout@"))
      await this.runner.checkout(given.ref ?? this.value("checkout"));
    else if (uses.startsWith("actions/upload-artifact@"))
      keep(this.runner, given.name ?? "", lines(given.path));
    else if (uses.startsWith("actions/download-artifact@"))
      take(this.runner, given.name ?? "", given.path ?? ".");
    else if (!SET_UP.test(uses)) throw new Error(`What does ${uses} do?`);
    return [];
  }

  async #shell(
    command: string,
    { env, folder }: { env: Texts; folder: string },
  ): Promise<number> {
    const kept = join(this.runner.folder, ENV_FILE);
    const { code, output } = await this.runner.shell(
      `cd "${folder}"\n${this.filled(command)}`,
      {
        GITHUB_ENV: kept,
        GITHUB_STEP_SUMMARY: join(this.runner.folder, SUMMARY_FILE),
        ...env,
      },
    );
    this.output += output;
    for (const [variable = "", text = ""] of assignments(kept)) {
      this.#made[variable] = text;
      this.known[`env.${variable}`] = text;
    }
    return code;
  }
}

/** Reads the assignments that a step has written to a file, and empties the file. */
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
  // Variables of the project replace variables of the file.
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

/** Whether a condition is true; no job is ever cancelled here. */
function holds(
  condition: string,
  value: (expression: string) => string,
): boolean {
  const parts = condition.replace(/^\$\{\{ | \}\}$/g, "").split(" && ");
  return parts.every((part) => {
    if (part === "!cancelled()") return true;
    const [, left, sign, right = ""] = /^(.*) (==|!=) (.*)$/.exec(part) ?? [];
    if (left === undefined) return value(part) === "true";
    const other = right.startsWith("'") ? right.slice(1, -1) : value(right);
    return (value(left) === other) === (sign === "==");
  });
}

/**
 * Whether a step with a condition runs. After a failure, it runs only if the condition
 * asks for that.
 */
function holdsAfter(
  condition: string,
  isFailed: boolean,
  value: (expression: string) => string,
): boolean {
  if (condition === "${{ failure() || cancelled() }}") return isFailed;
  const isAlways = condition.includes("!cancelled()");
  return (isAlways || !isFailed) && holds(condition, value);
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

/** Copies the files that were kept under a name into a folder of the runner. */
function take({ folder, kept }: Runner, name: string, into: string): void {
  cpSync(join(kept, name), join(folder, into), { recursive: true });
}

const lines = (text = "") => text.split("\n").filter((line) => line !== "");
