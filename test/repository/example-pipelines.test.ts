import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

// The pipelines of examples/gitops as their hosts parse them. gitops.e2e.test.ts runs
// them.

const EXAMPLE = resolve(__dirname, "../../examples/gitops");
const WORKFLOWS = join(EXAMPLE, ".github/workflows");

const Texts = z.record(z.string(), z.string());
const Job = z.looseObject({
  permissions: Texts,
  concurrency: z.looseObject({ group: z.string() }).optional(),
  env: Texts.default({}),
  defaults: z.object({ run: Texts }).optional(),
  strategy: z
    .object({
      "fail-fast": z.literal(false),
      matrix: z.object({ include: z.array(Texts) }),
    })
    .optional(),
  steps: z.array(
    z.looseObject({
      uses: z.string().optional(),
      with: z.record(z.string(), z.unknown()).default({}),
      run: z.string().optional(),
      env: Texts.default({}),
    }),
  ),
});
const Workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: Texts,
  jobs: z.record(z.string(), Job),
});

const workflows = new Map(
  readdirSync(WORKFLOWS).map((file) => [
    file,
    Workflow.parse(parse(readFileSync(join(WORKFLOWS, file), "utf8"))),
  ]),
);
const jobs = [...workflows].flatMap(([file, { jobs: all }]) =>
  Object.entries(all).map(([name, job]) => ({ id: `${file} ${name}`, job })),
);

const GitLabJob = z.looseObject({
  extends: z.string().optional(),
  resource_group: z.string().optional(),
  rules: z.array(z.looseObject({ changes: z.array(z.string()).optional() })),
  script: z.array(z.string()),
});
const gitlab = parse(
  readFileSync(join(EXAMPLE, ".gitlab-ci.yml"), "utf8"),
) as Record<string, unknown>;
const gitlabJobs = new Map(
  Object.entries(gitlab)
    .filter(([, value]) => Object.hasOwn(Object(value) as object, "script"))
    .map(([name, value]) => [name, GitLabJob.parse(value)]),
);

/** The commands of devid in a script: `ci apply`. */
const commandsIn = (text: string) =>
  [...text.matchAll(/npx --no devid (ci [\w-]+)/g)].map(([, name]) => name);

/** The conditions that fail a review. */
const conditionsIn = (text: string) =>
  [...text.matchAll(/--(?:fail-on|max-undetermined) \S+/g)].map(([flag]) =>
    flag.replaceAll('"', ""),
  );

it("the example pipelines of both hosts run every command of devid ci", () => {
  const ofGitHub = jobs.flatMap(({ job }) =>
    job.steps.flatMap(({ run = "" }) => commandsIn(run)),
  );
  const ofGitLab = [...gitlabJobs.values()].flatMap(({ script }) =>
    commandsIn(script.join("\n")),
  );
  const all = ["ci apply", "ci drift", "ci review", "ci review-again"];
  for (const used of [ofGitHub, ofGitLab])
    expect([...new Set(used)].sort()).toEqual(all);
});

it("the example pipelines take a plan only by devid, and unpack nothing", () => {
  for (const file of [
    ...[...workflows.keys()].map((name) => join(WORKFLOWS, name)),
    join(EXAMPLE, ".gitlab-ci.yml"),
  ])
    expect(readFileSync(file, "utf8"), file).not.toMatch(
      /run download|download-artifact|unzip|jobs\/artifacts/,
    );
  expect(gitlab["recover-apply"]).toMatchObject({
    needs: [{ job: "recover", artifacts: false }],
  });
});

it("the example pipelines keep what devid ci review has kept, and only if nothing fails", () => {
  const reviewing = jobs.filter(({ job }) =>
    job.steps.some(({ run }) => run?.includes("devid ci review ")),
  );
  expect(reviewing).toHaveLength(2);
  for (const { job } of reviewing) {
    const [review, keep] = job.steps.slice(-2);
    expect(review?.id).toBe("review");
    // A step without a condition runs only after success.
    expect(keep?.if).toBeUndefined();
    expect(keep?.with).toEqual({
      name: "${{ steps.review.outputs.artifact }}",
      path: "${{ steps.review.outputs.plan }}",
      overwrite: true,
      "if-no-files-found": "error",
    });
  }
});

it("the example pipelines have no more permissions than they need", () => {
  for (const [file, { permissions }] of workflows)
    expect(permissions, file).toEqual({ contents: "read" });
  const mayWrite = Object.fromEntries(
    jobs.map(({ id, job }) => [
      id,
      Object.keys(job.permissions).filter(
        (name) => job.permissions[name] === "write",
      ),
    ]),
  );
  expect(mayWrite).toEqual({
    "rules-apply.yml apply": ["pull-requests"],
    "rules-apply.yml review-again": ["actions"],
    "rules-drift.yml drift": ["issues"],
    "rules-recover.yml apply": ["contents"],
    "rules-recover.yml plan": ["contents"],
    "rules-review.yml review": ["pull-requests"],
  });
});

it("the example pipelines pin every action to a commit, with its version next to it", () => {
  for (const file of workflows.keys()) {
    const text = readFileSync(join(WORKFLOWS, file), "utf8");
    const used = text.match(/^\s*(- )?uses: .*$/gm) ?? [];
    expect(used.length, file).toBeGreaterThan(0);
    for (const line of used)
      expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    // This event gives the secrets to code of a fork.
    expect(text).not.toContain("pull_request_target");
  }
});

it("the example pipelines give keys only to the steps that need them", () => {
  const given = jobs.flatMap(({ id, job }) => {
    expect(JSON.stringify(job.env), id).not.toContain("secrets.");
    return job.steps
      .filter((step) =>
        JSON.stringify([step.env, step.with]).includes("secrets."),
      )
      .map(
        ({ run = "", uses = "" }) => commandsIn(run)[0] ?? uses.split("@")[0],
      );
  });
  expect([...new Set(given)].sort()).toEqual([
    "ci apply",
    "ci drift",
    "ci review",
  ]);
});

it("the example pipelines run once for each rule set and stack, in its folder", () => {
  const [rows, ...others] = jobs
    .filter(({ id }) => !id.endsWith("review-again"))
    .map(({ job }) =>
      job.strategy?.matrix.include.map(
        ({ name, folder, rules, stack, environment }) => ({
          ...{ name, folder, rules, stack, environment },
        }),
      ),
    );
  expect(rows?.[0]).toEqual({
    ...{ name: "prod", folder: ".", rules: "rules.yaml" },
    ...{ stack: "prod", environment: "" },
  });
  for (const other of others) expect(other).toEqual(rows);
  for (const { id, job } of jobs)
    if (job.strategy)
      expect(job.defaults?.run["working-directory"], id).toBe(
        "${{ matrix.folder }}",
      );
  expect(gitlab[".each"]).toMatchObject({
    parallel: {
      matrix: [{ FOLDER: ".", RULES: "rules.yaml", PULUMI_STACK: "prod" }],
    },
  });
  for (const [name, job] of gitlabJobs)
    if (name !== "review-again") {
      expect(job.extends, name).toBe(".each");
      expect(job.script[0], name).toBe('cd "$FOLDER"');
    }
});

it("the example pipelines watch the same paths for a review and for its deployment", () => {
  const pathsOf = (file: string) =>
    z
      .object({ paths: z.array(z.string()) })
      .parse(workflows.get(file)?.on.pull_request).paths;
  expect(pathsOf("rules-review.yml")).toEqual(["**"]);
  expect(pathsOf("rules-apply.yml")).toEqual(pathsOf("rules-review.yml"));
  const changes = (job: string) => gitlabJobs.get(job)?.rules[0]?.changes;
  expect(changes("review")).toEqual(["**/*"]);
  expect(changes("apply")).toEqual(changes("review"));
});

it("the example pipelines run only one update of a stack at a time", () => {
  const deploying = jobs.filter(({ job }) =>
    job.steps.some(({ run }) => run?.includes("devid ci apply")),
  );
  expect(deploying).toHaveLength(2);
  for (const { job } of deploying)
    expect(job.concurrency).toEqual({
      group: "rules-apply-${{ matrix.name }}",
    });
  for (const name of ["apply", "recover-apply"])
    expect(gitlabJobs.get(name)?.resource_group).toBe(
      "rules-$FOLDER-$PULUMI_STACK",
    );
});

it("the example pipelines run only one review of a request and a stack at a time", () => {
  expect(workflows.get("rules-review.yml")?.jobs.review?.concurrency).toEqual({
    group:
      "rules-review-${{ matrix.name }}-${{ github.event.pull_request.number || inputs.pull_request }}",
    "cancel-in-progress": true,
  });
  expect(gitlabJobs.get("review")?.resource_group).toBe(
    "rules-review-$CI_MERGE_REQUEST_IID-$FOLDER-$PULUMI_STACK",
  );
});

describe("a review in the example pipelines", () => {
  const steps = workflows.get("rules-review.yml")?.jobs.review?.steps ?? [];
  const ofGitHub = steps.find(({ run }) => run?.includes("devid ci review"));
  const ofGitLab = gitlabJobs.get("review")?.script;

  it("has the same fail conditions on both hosts", () => {
    const conditions = conditionsIn(ofGitHub?.run ?? "");
    expect(conditions.length).toBeGreaterThan(5);
    expect(conditionsIn(ofGitLab?.join("\n") ?? "")).toEqual(conditions);
  });

  it("refuses a fork before the checkout if it has secrets", () => {
    expect(steps[0]?.run).toContain(".head.repo.full_name");
  });

  it("uses the policies of the example", () => {
    const { devDependencies } = JSON.parse(
      readFileSync(join(EXAMPLE, "package.json"), "utf8"),
    ) as { devDependencies: Record<string, string> };
    expect(devDependencies).toHaveProperty("@devid/policy");
    const pack = "node_modules/@devid/policy";
    expect(gitlab.variables).toMatchObject({ POLICY_PACK: pack });
    for (const { id, job } of jobs)
      if (job.env.POLICY_PACK !== undefined)
        expect(job.strategy?.matrix.include[0]?.policies, id).toBe(pack);
    expect(existsSync(join(EXAMPLE, "policies.json"))).toBe(true);
  });
});
