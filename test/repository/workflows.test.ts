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
          }),
          z.strictObject({ run: z.string(), env: Texts.optional() }),
        ]),
      ),
    }),
  ),
});

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
    for (const { permissions } of jobs())
      expect(permissions).not.toHaveProperty("contents", "write");
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
        expect(existsSync(join(ROOT, path)), path).toBe(true);
      for (const [, room] of step.run.matchAll(/--workspace (\S+)/g))
        expect(existsSync(join(ROOT, room ?? "", "package.json"))).toBe(true);
    }
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
