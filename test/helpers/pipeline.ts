import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** A command of a pipeline, as its file has it. */
export interface PipelineStep {
  readonly name: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it runs after a step that failed, too. */
  readonly afterFailure: boolean;
}

const Env = z.record(z.string(), z.coerce.string()).default({});

const Workflow = z.object({
  env: Env,
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({
          name: z.string().optional(),
          if: z.string().optional(),
          uses: z.string().optional(),
          run: z.string().optional(),
          env: Env,
        }),
      ),
    }),
  ),
});

const GitLabJob = z.object({
  script: z.array(z.string()),
  variables: Env,
});

/**
 * The commands of a GitHub Actions job. What stands in `${{ }}` is looked up
 * in `context`.
 * @throws Error for an expression that the context does not have
 */
export function githubSteps(
  folder: string,
  file: string,
  context: Readonly<Record<string, string>>,
): PipelineStep[] {
  const path = join(folder, ".github/workflows", file);
  const workflow = Workflow.parse(parse(readFileSync(path, "utf8")));
  const filled = (env: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
          const value = context[expression];
          if (value === undefined) throw new Error(`No ${expression} here.`);
          return value;
        }),
      ]),
    );
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  return steps.flatMap(({ name, run, env, if: condition }) =>
    run === undefined
      ? []
      : {
          name: name ?? run,
          run,
          env: filled({ ...workflow.env, ...env }),
          afterFailure: condition?.includes("!cancelled()") ?? false,
        },
  );
}

/** The script of a GitLab job, as the one shell session that it is. */
export function gitlabJob(
  folder: string,
  name: string,
): { run: string; env: Record<string, string> } {
  const text = readFileSync(join(folder, ".gitlab-ci.yml"), "utf8");
  const file = z.record(z.string(), z.unknown()).parse(parse(text));
  const { script, variables } = GitLabJob.parse(file[name]);
  return { run: script.join("\n"), env: variables };
}
