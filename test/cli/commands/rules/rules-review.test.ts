import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Review, ReviewedPlan } from "../../../../review/src";
import {
  previewOutput,
  ruleSetArgs,
} from "../../sources/review/preview-output";
import { ReviewRepository } from "../../sources/review/review-repository";
import { CRAWLERS, CURL } from "../../cli-folder";
import { succeeded } from "../../devid-process";
import { textOf } from "../../../helpers/repository";
import { rule } from "../../../rules/diff/rule";

const NEVER = rule("never", "sdk.platform.is_ios && sdk.platform.is_android");

let repository: ReviewRepository;
let rules: string;

beforeAll(() => {
  repository = new ReviewRepository();
  rules = repository.file("shop/rules.json", { rules: [CRAWLERS] });
  repository.commit();
  repository.file("shop/rules.json", { rules: [CRAWLERS, CURL] });
});

afterAll(() => repository?.close());

/** Reviews without a service. */
const review = (...args: string[]) =>
  repository.review([...args, "--no-impact"]);

describe("devid rules review", () => {
  it("exits with 2 and shows what differs from a git ref, in 80 columns and without colours", async () => {
    const { code, stdout, stderr } = await review(rules, "--base", "main");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toMatch(
      /^Review of shop\/rules\.json against main at [0-9a-f]{10}\n/,
    );
    expect(stdout).toContain("+   2 curl deny  added after crawlers\n");
    expect(stdout).toContain("Not looked at: not asked for\n");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toContain("\u001b");
  });

  it("exits with 0 when there are at most warnings, and with 2 for a warning with --strict", async () => {
    const warned = repository.file("warned.json", { rules: [CRAWLERS, NEVER] });
    const lax = await succeeded(review(warned, "--base", warned));
    expect(lax.stdout).toContain("- 1 warning (1 not new)\n");
    expect((await review(warned, "--base", warned, "--strict")).code).toBe(2);
  });

  it("reports fewer tests than the base has, and more rules than --max-rules", async () => {
    const test = { name: "t", request: {}, expect: "allow" };
    const [before, after] = [[test], []].map((tests, at) =>
      repository.file(`tested-${at}.json`, { rules: [], tests }),
    );
    const fewer = ["--base", String(before), "--no-impact"];
    const { code, stdout } = await review(
      String(after),
      ...[...fewer, "--fail-on", "fewer-tests", "--fail-on", "tests"],
    );
    expect(code).toBe(2);
    expect(stdout).toContain(
      "✗ fewer-tests: 0 tests, and 1 in the base\n✗ tests cannot be judged: the file has no tests\n",
    );
    const limits = ["--base", rules, "--no-impact", "--max-rules"];
    expect((await review(rules, ...limits, "0")).stdout).toContain(
      "too-many-rules",
    );
    expect((await review(rules, ...limits, "99")).stdout).not.toContain(
      "too-many-rules",
    );
  });

  it("fails only by the conditions of --fail-on", async () => {
    const failing = ["--fail-on", "lint:error", "--fail-on", "changes"];
    await succeeded(review(rules, "--base", "main", ...failing.slice(0, 2)));
    const failed = await review(rules, "--base", "main", ...failing);
    expect(failed.code).toBe(2);
    expect(failed.stdout).toContain(
      "✓ lint:error: 0 errors\n✗ changes: 1 change: 1 added\n",
    );
  });

  it.each([
    [["--strict", "--fail-on", "tests"], "--fail-on lint:warning instead"],
    [["--since", "yesterday"], "has to be a date-time"],
    [["--fail-on", "deletes:ApiKeys"], "devid has no kind ApiKeys"],
    [["--fail-on", "deletes:toString"], "devid has no kind toString"],
    [["--fail-on", "deletes:devid:index:ApiKey"], "call this type ApiKey"],
    [["--fail-on", "changes:Webhook.urll"], "no property urll"],
    [
      ["--fail-on", "changes:FilteringRuleSet.environment"],
      "no property environment",
    ],
    [["--mapping", "a.yaml"], "--mapping is for a warehouse of events"],
  ])("exits with 1 for %j", async (args, message) => {
    const { code, stdout, stderr } = await review(
      rules,
      "--base",
      "main",
      ...args,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([
    "deletes:ApiKey",
    "deletes:RotatingApiKey",
    "deletes:aws:s3/bucket:Bucket",
    "changes:Webhook.protect",
    "changes:FilteringRuleSet.maxDeletedPercent",
  ])("takes the condition %s", async (condition) => {
    const { stdout } = await review(
      rules,
      "--base",
      "main",
      "--fail-on",
      condition,
    );
    expect(stdout).toContain(`✗ ${condition} cannot be judged`);
  });

  it("reviews an invalid file, but not a missing file", async () => {
    const file = repository.file("invalid.yaml", "rules:\n  - name: a\n");
    const { code, stdout } = await review(file, "--base", "main");
    expect(code).toBe(2);
    expect(stdout).toContain("invalid.yaml:2:5 error invalid-file rules[0].");
    const missing = join(repository.path, "missing.yaml");
    expect(await review(missing, "--base", "main")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.toSay("files/missing", { path: "missing.yaml" }),
    });
  });

  it("takes env_ID as the ID of an environment, without any key, and a preview of more than 4 MiB", async () => {
    const ofEnvironment = (environment: string, more: object[]) => ({
      op: "create",
      name: environment,
      after: ruleSetArgs([CRAWLERS, ...more], { environment }),
    });
    const preview = previewOutput(
      ofEnvironment("env_1", [CURL]),
      ofEnvironment("env_2", []),
    );
    const plan = repository.file("plan.json", preview + " ".repeat(5 << 20));
    const asked = ["--base", "main", "--environment", "env_2", "--json"];
    const { stdout } = await review(rules, "--plan", plan, ...asked);
    const { ruleSets } = (JSON.parse(stdout) as Review).plan as ReviewedPlan;
    expect(ruleSets.map(({ name, isReviewed }) => [name, isReviewed])).toEqual([
      ["env_1", false],
      ["env_2", true],
    ]);
  });

  it("prints the JSON of docs/review.md, and an HTML page", async () => {
    const asked = ["--base", "main", "--fail-on", "tests", "--json"];
    const { stdout } = await review(rules, ...asked);
    const [, example = ""] =
      /```json\n(.*?)```/s.exec(textOf("docs/review.md")) ?? [];
    expect(JSON.parse(stdout)).toMatchObject(JSON.parse(example) as object);
    const html = await review(rules, "--base", "main", "--format", "html");
    expect(html).toMatchObject({ code: 2, stderr: "" });
    expect(html.stdout).toMatch(/^<!doctype html>\n/);
  });

  it("prints findings, tests and conditions in the formats of other tools", async () => {
    const file = repository.file("formats.json", {
      rules: [CRAWLERS, NEVER],
      tests: [{ name: "t", request: {}, expect: "deny" }],
    });
    const as = (format: string) =>
      review(
        ...[file, "--base", "main:shop/rules.json", "--format", format],
        // The second condition provably does not hold.
        ...["--fail-on", "tests", "--fail-on", "newly-denied>99%"],
      );
    const [sarif, github, junit] = await Promise.all(
      ["sarif", "github", "junit"].map(as),
    );
    expect([sarif?.code, github?.code, junit?.code]).toEqual([2, 2, 2]);
    const { version, runs } = JSON.parse(sarif?.stdout ?? "") as {
      version: string;
      runs: {
        results: { ruleId: string; level: string; fixes?: unknown[] }[];
      }[];
    };
    expect(version).toBe("2.1.0");
    const results = runs.flatMap((one) => one.results);
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["never-matches", "warning"],
      ["failed-test", "error"],
      ["fail-on", "error"],
    ]);
    // Where the fix of the finding is, counted in the file.
    expect(results[0]?.fixes).toMatchObject([
      { artifactChanges: [{ replacements: [{ deletedRegion: {} }] }] },
    ]);
    expect(github?.stdout.match(/^::(?:error|warning) file=/gm)).toEqual([
      "::warning file=",
      ...["::error file=", "::error file="],
    ]);
    expect(XMLValidator.validate(junit?.stdout ?? "")).toBe(true);
    expect(junit?.stdout.match(/<failure /g)).toHaveLength(3);
  });

  it("writes a comment to a new or existing file", async () => {
    const out = join(repository.path, "review.md");
    const args = [rules, "--base", "main", "--format", "markdown", "--out"];
    const written = { code: 2, stdout: "", stderr: "" };
    expect(await review(...args, out)).toEqual(written);
    expect(await review(...args, out)).toEqual(written);
    expect(readFileSync(out, "utf8")).toMatch(
      /^<!-- devid-review:shop\/rules\.json -->\n### Review of `shop\/rules\.json` against `main at [0-9a-f]{10}`\n/,
    );
    const nowhere = join(repository.path, "none/review.md");
    expect(await review(...args, nowhere)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.toSay("files/no-folder", { path: "none/review.md" }),
    });
  });
});
