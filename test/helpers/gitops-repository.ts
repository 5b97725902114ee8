import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { PLAN_FILE } from "../../cli/src/ci/plan-record";
import { rulesDigest } from "../../rules/src";
import {
  EngineStack,
  makeWorkFolder,
  PLUGINS,
  type Changes,
} from "./engine-stack";
import { GIT } from "../cli/sources/review/review-repository";
import { FakeCodeHost, type Run } from "./fake-code-host";
import { yamlHostSettings } from "./form-stack";
import {
  GITHUB,
  GITLAB,
  MAIN_EVENT,
  onHost,
  refOf,
  requestEvent,
  TOKENS,
  type HostCase,
} from "./host-cases";
import { LocalWorkspace } from "./local-workspace";
import type { Form } from "./program-form";
import { ROOT, textOf } from "./repository";

const EXAMPLE = join(ROOT, "examples/gitops");

/** How a step of a pipeline ended. */
export interface StepRun {
  readonly code: number;
  readonly output: string;
}

type Texts = Readonly<Record<string, string>>;

/**
 * A repository made from examples/gitops with its pipelines, on a real engine. The commands
 * are those of the example's files; a host on loopback answers for GitHub and GitLab.
 */
export class GitOpsRepository {
  #runs = 500;

  private constructor(
    readonly form: Form,
    readonly workspace: LocalWorkspace,
    readonly host: FakeCodeHost,
    readonly stack: EngineStack,
    private readonly parent: string,
  ) {}

  /** @param form the form of its program */
  static async open(form: Form): Promise<GitOpsRepository> {
    const parent = makeWorkFolder();
    const workspace = await LocalWorkspace.start();
    const host = await new FakeCodeHost(TOKENS).open();
    const example = join(parent, "example");
    cpSync(EXAMPLE, example, { recursive: true });
    if (form === "plugin") writeYamlProgram(example);
    const stack = await EngineStack.open(
      {
        DEVID_ENDPOINT: workspace.url,
        CI: "true",
        ...GIT,
        ...(form === "plugin" && (await yamlHostSettings())),
      },
      example,
    );
    const repository = new GitOpsRepository(
      form,
      workspace,
      host,
      stack,
      parent,
    );
    await repository.#start();
    return repository;
  }

  /** Deploys the program for the first time; no rules are in force. */
  async deploy(): Promise<Changes> {
    const { us } = this.workspace.service.workspaces;
    if (this.form === "plugin")
      writeFileSync(this.#path("in-force.txt"), `${rulesDigest([])}\n`);
    this.stack.set({ DEVID_MANAGEMENT_KEY: us.managementKey });
    const changes = await this.stack.up();
    this.stack.set({ DEVID_MANAGEMENT_KEY: undefined });
    return changes;
  }

  async close(): Promise<void> {
    this.stack.close();
    rmSync(this.parent, { recursive: true, force: true });
    await this.host.close();
    await this.workspace.close();
  }

  /** Runs a command in the repository; it must succeed. */
  async ok(command: string, env: Texts = {}): Promise<string> {
    const { code, output } = await this.stack.shell(command, { ...env });
    if (code === 0) return output.trim();
    throw new Error(`${command} failed:\n${output}`);
  }

  /** Commits edits of the rule file to a branch of the main branch; returns the commit. */
  async push(
    branch: string,
    edit: (text: string) => string,
    from = "main",
  ): Promise<string> {
    await this.ok(`git checkout -q --force -B ${branch} ${from}`);
    const file = this.#path("rules.yaml");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    await this.ok(`git add -A && git commit -qm ${branch} --allow-empty`);
    return this.ok("git rev-parse HEAD");
  }

  /** Merges a branch as the merge button of a host does; returns the new commit. */
  async merge(
    branch: string,
    { request = "7", isSquashed = false } = {},
  ): Promise<string> {
    const how = isSquashed
      ? `git merge -q --squash ${branch} && git commit -qm "${branch}"`
      : `git merge -q --no-ff -m "Merge ${branch}" ${branch}`;
    await this.ok(`git checkout -q --force main && ${how}`);
    const commit = await this.ok("git rev-parse HEAD");
    this.host.cameWith.set(commit, request);
    return commit;
  }

  /** Adds objects to the main branch's list of objects that no program declares. */
  async allow(ids: readonly string[]): Promise<void> {
    await this.ok("git checkout -q --force main");
    writeFileSync(this.#path("drift-allowed.txt"), ids.join("\n"));
    await this.ok("git add -A && git commit -qm Allowed");
  }

  /** Reviews a commit on GitHub, merged with the main branch. */
  async review(commit: string, request = "7"): Promise<StepRun> {
    this.host.heads.set(request, commit);
    await this.ok(
      `git fetch -q origin && git checkout -q --force --detach main && git merge -q --no-ff -m Merged ${commit}`,
    );
    const run = (this.#runs += 1);
    const step = workflowStep("rules-review.yml", "review", "Review");
    const event = requestEvent(request, commit);
    const result = await this.#github(step, run, { event, env: {} });
    this.#keepOnGitHub(run, commit);
    return result;
  }

  /** Applies a merge on GitHub. */
  async apply(head: string, merged: string, request = "7"): Promise<StepRun> {
    await this.ok(`git checkout -q --force --detach ${merged}`);
    return this.#github(workflowStep("rules-apply.yml", "apply", "Apply"), 1, {
      event: requestEvent(request, head, merged),
      env: { GITHUB_SHA: merged },
    });
  }

  /** Plans a recovery of the main branch on GitHub, and applies it. */
  async recover(): Promise<readonly [planned: StepRun, applied: StepRun]> {
    await this.ok("git checkout -q --force --detach main");
    const commit = await this.ok("git rev-parse HEAD");
    const run = (this.#runs += 1);
    const given = { event: MAIN_EVENT, env: { GITHUB_SHA: commit } };
    const plan = workflowStep("rules-recover.yml", "plan", "Review");
    const planned = await this.#github(plan, run, given);
    this.#keepOnGitHub(run, commit);
    const apply = workflowStep("rules-recover.yml", "apply", "Apply");
    return [planned, await this.#github(apply, run, given)];
  }

  async drift(): Promise<StepRun> {
    await this.ok("git checkout -q --force --detach main");
    const commit = await this.ok("git rev-parse HEAD");
    return this.#github(
      workflowStep("rules-drift.yml", "drift", "Compare"),
      1,
      { event: MAIN_EVENT, env: { GITHUB_SHA: commit } },
    );
  }

  /** Runs a job of GitLab for a commit of a merge request, or of the main branch. */
  async gitlab(
    job: string,
    commit: string,
    request?: string,
  ): Promise<StepRun> {
    const run = (this.#runs += 1);
    const name = `${job}: [., rules.yaml, test]`;
    if (request !== undefined) this.host.heads.set(request, commit);
    await this.ok(`git checkout -q --force --detach ${commit}`);
    const result = await this.#run(GITLAB, gitlabScript(job), {
      CI_PIPELINE_ID: "900",
      CI_JOB_ID: String(run),
      CI_JOB_NAME: name,
      CI_COMMIT_SHA: commit,
      CI_DEFAULT_BRANCH: "main",
      CI_MERGE_REQUEST_IID: request ?? "",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: request === undefined ? "" : "main",
      BASE: "main",
    });
    const ref = refOf(request);
    this.#keep(GITLAB, { id: run, commit, job: name, pipeline: 900, ref });
    return result;
  }

  async #start(): Promise<void> {
    if (this.form === "plugin")
      await this.stack.configure(
        "environment",
        this.workspace.service.workspaces.us.environment,
      );
    const commands = join(this.parent, "commands");
    mkdirSync(commands);
    // The packages are already installed in a folder above.
    const npx = '#!/bin/bash\n[ "$1" = --no ] || exit 2\nshift\nexec "$@"\n';
    writeFileSync(join(commands, "npx"), npx, { mode: 0o755 });
    const folder = this.stack.workFolder;
    await this.ok(
      `git init -q -b main . && git config core.autocrlf false && git remote add origin "${folder}" && echo /.engine/ >>.git/info/exclude && git add -A && git commit -qm "Rules as they are"`,
    );
  }

  /** Keeps the plan of a run, if there is one. */
  #keep({ isGitLab }: HostCase, run: Run, artifact = ""): void {
    const file = this.#path(PLAN_FILE);
    if (!existsSync(file)) return;
    const name = isGitLab ? PLAN_FILE : artifact;
    this.host.keep(run, readFileSync(file), { isGitLab, name });
    rmSync(file);
  }

  #keepOnGitHub(id: number, commit: string): void {
    const outputs = readFileSync(this.#path(".engine/output"), "utf8");
    const [, name] = /^artifact=(.*)$/m.exec(outputs) ?? [];
    this.#keep(GITHUB, { id, commit }, name);
  }

  #github(
    command: string,
    run: number,
    { event, env }: { readonly event: object; readonly env: Texts },
  ): Promise<StepRun> {
    const place = (name: string) => this.#path(`.engine/${name}`);
    writeFileSync(place("event.json"), JSON.stringify(event));
    writeFileSync(place("output"), "");
    return this.#run(GITHUB, command, {
      GITHUB_RUN_ID: String(run),
      GITHUB_EVENT_PATH: place("event.json"),
      GITHUB_OUTPUT: place("output"),
      ...env,
    });
  }

  /** Runs a command as a runner does. The engine takes a second to start a policy pack, so there is none. */
  #run(on: HostCase, command: string, env: Texts): Promise<StepRun> {
    const { us } = this.workspace.service.workspaces;
    const commands = join(this.parent, "commands");
    return this.stack.shell(`PATH="${commands}:$PATH"\nset -e\n${command}`, {
      ...(onHost(on, this.host.url, env) as Texts),
      // The variables that the matrix of a pipeline gives.
      ...{ FOLDER: ".", RULES: "rules.yaml", PULUMI_STACK: "test" },
      ...{ RULES_ENVIRONMENT: "", POLICY_PACK: "" },
      DEVID_MANAGEMENT_KEY: us.managementKey,
      DEVID_SECRET_KEY: us.secretKey,
    });
  }

  #path = (name: string) => join(this.stack.workFolder, name);
}

const read = (path: string) => textOf(path);

const Steps = z.array(
  z.looseObject({ name: z.string().optional(), run: z.string().optional() }),
);
const Workflow = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: Steps })),
});

/** The command of a step of a workflow of the example. */
function workflowStep(file: string, job: string, name: string): string {
  const text = read(`examples/gitops/.github/workflows/${file}`);
  const { jobs } = Workflow.parse(parse(text));
  const found = jobs[job]?.steps.find((step) => step.name === name)?.run;
  if (found === undefined) throw new Error(`There is no step ${name}.`);
  return found;
}

/** The script of a job of GitLab, without the installation. */
function gitlabScript(job: string): string {
  const file = z
    .record(z.string(), z.unknown())
    .parse(parse(read("examples/gitops/.gitlab-ci.yml")));
  const { script } = z
    .looseObject({ script: z.array(z.string()) })
    .parse(file[job]);
  return script
    .filter((line) => line.includes("devid ci") || line.startsWith("cd "))
    .join("\n");
}

/**
 * Puts the YAML program of docs/review.md in place of the one in a copy of
 * examples/gitops.
 */
function writeYamlProgram(folder: string): void {
  const page = textOf("docs/review.md");
  const [, text] = /```yaml\n(name: devid-gitops\n[^]*?)```/.exec(page) ?? [];
  if (text === undefined) throw new Error("The page has no such program.");
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    stringify({ ...(parse(text) as object), plugins: PLUGINS }),
  );
  for (const file of ["index.ts", "tsconfig.json"])
    rmSync(join(folder, file), { force: true });
}
