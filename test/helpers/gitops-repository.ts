import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { rulesDigest } from "../../rules/src";
import {
  EngineStack,
  makeWorkFolder,
  PLUGINS,
  type Changes,
} from "./engine-stack";
import { GIT, ReviewRepository } from "../cli/sources/review/review-repository";
import type { FakeCodeHost } from "./fake-code-host";
import { yamlHostSettings } from "./form-stack";
import type { LocalWorkspace } from "./local-workspace";
import {
  PipelineRepository,
  type Execution,
  type Given,
  type Job,
} from "./pipeline-repository";
import type { Form } from "./program-form";
import { ROOT, textOf } from "./repository";

/** How a step of a pipeline ended. */
interface StepRun {
  readonly code: number;
  readonly output: string;
}

/** Where examples/gitops has the command of a job on GitHub: file, job and step. */
const STEPS: Readonly<Record<string, readonly [string, string, string]>> = {
  review: ["rules-review.yml", "review", "Review"],
  apply: ["rules-apply.yml", "apply", "Apply"],
  recover: ["rules-recover.yml", "plan", "Review"],
  "recover-apply": ["rules-recover.yml", "apply", "Apply"],
  drift: ["rules-drift.yml", "drift", "Compare"],
};

/** The pipelines of examples/gitops on a real engine: their commands are those of its files. */
export class GitOpsRepository extends PipelineRepository<Given, StepRun> {
  private constructor(
    workspace: LocalWorkspace,
    host: FakeCodeHost,
    readonly stack: EngineStack,
    private readonly parent: string,
  ) {
    const git = new ReviewRepository(stack.folder);
    git.file(".git/info/exclude", "/.engine/\n");
    super(git, workspace, host, join(stack.folder, ".engine"), {
      // The variables that the matrix of a pipeline gives.
      ...{ FOLDER: ".", RULES: "rules.yaml", PULUMI_STACK: "test" },
      // The engine takes a second to start a policy pack, so there is none.
      ...{ RULES_ENVIRONMENT: "", POLICY_PACK: "" },
    });
  }

  /** @param form the form of its program */
  static async open(
    form: Form,
    workspace: LocalWorkspace,
    host: FakeCodeHost,
  ): Promise<GitOpsRepository> {
    const parent = makeWorkFolder();
    const example = join(parent, "example");
    cpSync(join(ROOT, "examples/gitops"), example, { recursive: true });
    if (form === "plugin") writeYamlProgram(example);
    const commands = join(parent, "commands");
    mkdirSync(commands);
    // The packages are already installed in a folder above.
    const npx = '#!/bin/bash\n[ "$1" = --no ] || exit 2\nshift\nexec "$@"\n';
    writeFileSync(join(commands, "npx"), npx, { mode: 0o755 });
    const stack = await EngineStack.open(
      {
        DEVID_ENDPOINT: workspace.url,
        CI: "true",
        ...GIT,
        ...(form === "plugin" && (await yamlHostSettings())),
      },
      example,
    );
    if (form === "plugin") {
      const { environment } = workspace.service.workspaces.us;
      await stack.configure("environment", environment);
      writeFileSync(join(stack.folder, "in-force.txt"), `${rulesDigest([])}\n`);
    }
    return new GitOpsRepository(workspace, host, stack, parent);
  }

  /** Deploys the program for the first time; no rules are in force. */
  async deploy(): Promise<Changes> {
    const { us } = this.workspace.service.workspaces;
    this.stack.set({ DEVID_MANAGEMENT_KEY: us.managementKey });
    const changes = await this.stack.up();
    this.stack.set({ DEVID_MANAGEMENT_KEY: undefined });
    return changes;
  }

  close(): void {
    this.stack.close();
    rmSync(this.parent, { recursive: true, force: true });
  }

  /** Commits an edit of the rule file to a branch of the main branch; returns the commit. */
  edit(branch: string, edit: (text: string) => string): string {
    const text = this.git.git("show", "main:rules.yaml");
    return this.push(branch, { "rules.yaml": edit(text) });
  }

  protected override execute({ job, on, env }: Execution<Given>) {
    const command = on.isGitLab ? gitlabScript(job) : workflowStep(job);
    const commands = join(this.parent, "commands");
    return this.stack.shell(
      `PATH="${commands}:$PATH"\nset -e\n${command}`,
      env,
    );
  }
}

const Steps = z.array(
  z.looseObject({ name: z.string().optional(), run: z.string().optional() }),
);
const Workflow = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: Steps })),
});

/** The command of a job on GitHub. */
function workflowStep(of: Job): string {
  const [file = "", job = "", name = ""] = STEPS[of] ?? [];
  const text = textOf(`examples/gitops/.github/workflows/${file}`);
  const { jobs } = Workflow.parse(parse(text));
  const found = jobs[job]?.steps.find((step) => step.name === name)?.run;
  if (found === undefined) throw new Error(`There is no step ${name}.`);
  return found;
}

/** The script of a job of GitLab, without the installation. */
function gitlabScript(job: string): string {
  const file = z
    .record(z.string(), z.unknown())
    .parse(parse(textOf("examples/gitops/.gitlab-ci.yml")));
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
