import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { ROOT, textOf } from "../helpers/repository";

// The workflows of this repository as their host parses them.

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

/** Permissions to write that jobs have. All other jobs have none. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  "codeql.yml analyze": ["security-events"],
  "release.yml version": ["contents", "pull-requests"],
  "release.yml publish": ["id-token"],
  "release.yml release": ["contents"],
};

const SCRIPTS = (
  JSON.parse(textOf("package.json")) as {
    scripts: Record<string, string>;
  }
).scripts;

describe.each(readdirSync(FOLDER))("%s", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  const read = () => Workflow.parse(parse(text));
  const jobs = () => Object.values(read().jobs);
  const steps = () => jobs().flatMap((job) => job.steps);

  it("may only read the code, except for jobs that need more", () => {
    for (const [name, { permissions }] of Object.entries(read().jobs))
      expect(
        Object.keys(permissions).filter((one) => permissions[one] === "write"),
        name,
      ).toEqual(MAY_WRITE[`${file} ${name}`] ?? []);
    expect(text).not.toContain("pull_request_target");
    expect(text).not.toContain("secrets.");
  });

  it("pins every action to a commit, with its version next to it", () => {
    const used = text.match(/^\s*- uses: .*$/gm) ?? [];
    expect(used).toHaveLength(steps().filter((one) => "uses" in one).length);
    for (const line of used)
      expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("checks out the code without leaving a token", () => {
    for (const step of steps())
      if ("uses" in step && step.uses.startsWith("actions/checkout@"))
        expect(step.with).toMatchObject({ "persist-credentials": false });
  });

  it("runs only scripts and reads only files that exist", () => {
    for (const step of steps()) {
      if (!("run" in step)) continue;
      for (const [, script] of step.run.matchAll(/npm run (?:-s )?([\w:]+)/g))
        expect(SCRIPTS).toHaveProperty([script ?? ""]);
      for (const [path] of step.run.matchAll(
        /(?<= )\.?\w[\w.-]*(?:\/[\w.-]+)+/g,
      ))
        // The run makes the archives and the files next to them.
        if (!path.startsWith("release/"))
          expect(existsSync(join(ROOT, path)), path).toBe(true);
      for (const [, room] of step.run.matchAll(/--workspace (\S+)/g))
        expect(existsSync(join(ROOT, room ?? "", "package.json"))).toBe(true);
    }
  });
});

it("the templates and Dependabot's settings are valid YAML, and name only ecosystems of this repository", () => {
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
  const settings = Settings.parse(parse(textOf(".github/dependabot.yml")));
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
