import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

// The workflows of this repository, as their host reads them.

const ROOT = resolve(__dirname, "../..");
const FOLDER = join(ROOT, ".github/workflows");

const Texts = z.record(z.string(), z.string());
const Workflow = z.looseObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal("read") }),
  jobs: z.record(
    z.string(),
    z.looseObject({
      "runs-on": z.string(),
      "timeout-minutes": z.number(),
      permissions: Texts.default({}),
      steps: z.array(
        z.union([
          z.strictObject({
            uses: z.string(),
            with: z.looseObject({}).optional(),
            env: Texts.optional(),
          }),
          z.strictObject({
            id: z.string().optional(),
            run: z.string(),
            env: Texts.optional(),
          }),
        ]),
      ),
    }),
  ),
});

/** What jobs may write; none is given in any other. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  "codeql.yml analyze": ["security-events"],
  "release.yml version": ["contents", "pull-requests"],
  "release.yml publish": ["id-token"],
  "release.yml release": ["contents"],
};

const SCRIPTS = (
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  }
).scripts;

describe.each(readdirSync(FOLDER))("%s", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  const read = () => Workflow.parse(parse(text));
  const jobs = () => Object.values(read().jobs);
  const steps = () => jobs().flatMap((job) => job.steps);

  it("may read the code and nothing else, save what a job asks for", () => {
    for (const [name, { permissions }] of Object.entries(read().jobs))
      expect(
        Object.keys(permissions).filter((one) => permissions[one] === "write"),
        name,
      ).toEqual(MAY_WRITE[`${file} ${name}`] ?? []);
    expect(text).not.toContain("pull_request_target");
    expect(text).not.toContain("secrets.");
  });

  it("has every action pinned to a commit, with its version beside it", () => {
    const used = text.match(/^\s*- uses: .*$/gm) ?? [];
    expect(used).toHaveLength(steps().filter((one) => "uses" in one).length);
    for (const line of used)
      expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("checks the code out without leaving a token behind", () => {
    for (const step of steps())
      if ("uses" in step && step.uses.startsWith("actions/checkout@"))
        expect(step.with).toMatchObject({ "persist-credentials": false });
  });

  it("runs scripts and reads files that exist", () => {
    for (const step of steps()) {
      if (!("run" in step)) continue;
      for (const [, script] of step.run.matchAll(/npm run (?:-s )?([\w:]+)/g))
        expect(SCRIPTS).toHaveProperty([script ?? ""]);
      for (const [path] of step.run.matchAll(
        /(?<= )\.?\w[\w.-]*(?:\/[\w.-]+)+/g,
      ))
        // The archives and what lies beside them are made by the run.
        if (!path.startsWith("release/"))
          expect(existsSync(join(ROOT, path)), path).toBe(true);
      for (const [, room] of step.run.matchAll(/--workspace (\S+)/g))
        expect(existsSync(join(ROOT, room ?? "", "package.json"))).toBe(true);
    }
  });
});

describe("the action that reviews rules", () => {
  const text = readFileSync(join(ROOT, "review/action.yml"), "utf8");
  const Action = z.strictObject({
    name: z.string(),
    description: z.string(),
    inputs: z.record(
      z.string(),
      z.strictObject({
        description: z.string(),
        required: z.boolean().optional(),
        default: z.string().optional(),
      }),
    ),
    runs: z.strictObject({
      using: z.literal("composite"),
      steps: z.array(
        z.strictObject({
          name: z.string(),
          if: z.string().optional(),
          shell: z.literal("bash"),
          "working-directory": z.string().optional(),
          env: Texts.default({}),
          run: z.string(),
        }),
      ),
    }),
  });
  const { inputs, runs } = Action.parse(parse(text));

  it("uses every input, and no other", () => {
    const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(
      ([, name = ""]) => name,
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
  });

  it("runs scripts of examples/gitops, and nothing that an input says", () => {
    for (const { run } of runs.steps) {
      expect(run).not.toContain("${{");
      for (const [, path = ""] of run.matchAll(
        /\$GITHUB_ACTION_PATH\/\.\.\/([\w/.-]+)/g,
      ))
        expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
    expect(text.match(/GITHUB_ACTION_PATH/g)).toHaveLength(2);
  });

  it("gives keys to the review alone, after it has refused what a fork could take them by", () => {
    const withKeys = runs.steps.filter(({ env }) =>
      /inputs\.(management-key|secret-key|pulumi-access-token)/.test(
        JSON.stringify(env),
      ),
    );
    expect(withKeys.map(({ name }) => name)).toEqual(["Review"]);
    expect(runs.steps[0]?.if).toBe(
      "github.event_name == 'pull_request_target'",
    );
    expect(runs.steps[0]?.run).toMatch(/exit 1\n$/);
    for (const { if: condition = "" } of runs.steps)
      expect(condition).not.toContain("always()");
  });
});

it("templates and Dependabot's settings are valid YAML, for ecosystems that are here", () => {
  const Settings = z.object({
    version: z.literal(2),
    updates: z.array(
      z.looseObject({
        "package-ecosystem": z.enum(["npm", "github-actions", "gomod"]),
        directory: z.string().optional(),
        directories: z.array(z.string()).optional(),
      }),
    ),
  });
  const settings = Settings.parse(
    parse(readFileSync(join(ROOT, ".github/dependabot.yml"), "utf8")),
  );
  for (const {
    directory,
    directories = [directory ?? ""],
    ...one
  } of settings.updates)
    if (one["package-ecosystem"] === "gomod")
      for (const folder of directories)
        expect(existsSync(join(ROOT, folder, "go.mod")), folder).toBe(true);
  const templates = join(ROOT, ".github/ISSUE_TEMPLATE");
  for (const file of readdirSync(templates)) {
    const template = parse(
      readFileSync(join(templates, file), "utf8"),
    ) as object;
    expect(template).toSatisfy(
      (one: object) => "body" in one || "blank_issues_enabled" in one,
    );
  }
});
