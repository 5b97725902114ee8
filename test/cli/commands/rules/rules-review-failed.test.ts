import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cellsOf } from "../../../helpers/cells-of";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import {
  previewOutput,
  ruleSetArgs,
} from "../../sources/review/preview-output";
import { ReviewRepository } from "../../sources/review/review-repository";
import { BROWSERS, CRAWLERS } from "../../cli-folder";
import { failed } from "../../devid-process";

let repository: ReviewRepository;
let rules: string;
let out: string;

const workspace = openForTests(new LocalWorkspace());
beforeAll(() => {
  repository = new ReviewRepository();
  rules = repository.file("rules.json", { rules: [CRAWLERS] });
  repository.commit();
  repository.file("rules.json", { rules: [CRAWLERS, BROWSERS] });
  out = join(repository.path, "review.out");
});

beforeEach(() => rmSync(out, { force: true }));

afterAll(() => repository?.close());

const preview = (rules: object[]) =>
  repository.file(
    "preview.json",
    previewOutput({
      op: "create",
      name: "rules",
      after: ruleSetArgs(rules),
    }),
  );

/** The error that a command with `--json` prints on the last line of standard error. */
const lastError = (stderr: string) =>
  (
    JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as {
      error: { message: string };
    }
  ).error;

describe("a review that fails", () => {
  /** What is wrong, a flag, a setting, the exit code, and words of the message. */
  const FAILURES = `
a wrong key | --base live | DEVID_MANAGEMENT_KEY=wrong-key | 1 | 401
a wrong secret key | | DEVID_SECRET_KEY=wrong-key | 1 | 403
an unreachable service | --base live | DEVID_ENDPOINT=http://127.0.0.1:9 | 3 | could not be reached
an unknown ref | --base nowhere | | 1 | nor a git ref
a missing file | --plan nowhere.json | | 1 | nowhere.json cannot be read
a missing preview | --plan RULES | | 1 | is not the output of pulumi
a wrong region | | DEVID_REGION=mars | 1 | mars
an invalid condition | --fail-on denied>1 | | 1 | "denied>1" is no condition. There are newly-
`;

  it.each(cellsOf(FAILURES))(
    "writes its error to the file: %s",
    async (_, flag = "", setting = "", code, message = "") => {
      const named = flag.split(" ").filter((part) => part !== "");
      const args = named.map((arg) => (arg === "RULES" ? rules : arg));
      const base = flag.startsWith("--base") ? [] : ["--base", "HEAD"];
      const [name = "", value = ""] = setting.split("=");
      const ran = await repository.review(
        [rules, ...base, ...args, "--format", "markdown", "--out", out],
        { ...workspace.env, ...(name && { [name]: value }) },
      );
      expect(ran).toMatchObject({ code: Number(code), stdout: "" });
      expect(ran.stderr).toContain(message);
      const report = readFileSync(out, "utf8");
      expect(report).toContain("rules.json");
      expect(report.replaceAll("\n", " ").replace(/ +/g, " ")).toContain(
        message,
      );
      expect(report + ran.stderr).not.toContain("wrong-key");
    },
  );

  it.each(["markdown", "html", "json"])(
    "prints its error on standard output as %s, but not as text",
    async (format) => {
      const args = [rules, "--base", "nowhere"];
      const report = await repository.review([...args, "--format", format]);
      expect(report.code).toBe(1);
      expect(report.stdout).toContain("nor a git ref");
      const plain = await repository.review(args);
      expect(plain).toMatchObject({ code: 1, stdout: "" });
      await repository.review([...args, "--out", out]);
      expect(readFileSync(out, "utf8")).toContain("nor a git ref");
      expect(plain.stderr).toMatch(/^devid: .*nor a git ref/);
      // With --format json, the error on standard error is JSON, too.
      const reported =
        format === "json"
          ? (JSON.parse(report.stderr) as { error: object }).error
          : { message: report.stderr.replace(/^devid: |\n$/g, "") };
      expect(reported).toMatchObject({
        message: plain.stderr.replace(/^devid: |\n$/g, ""),
      });
    },
  );

  it("still reviews what needs no service, also in a named environment", async () => {
    const { environment } = workspace.service.workspaces.us;
    const { code, stdout, stderr } = await repository.review(
      [
        ...[rules, "--base", "HEAD", "--plan", preview([CRAWLERS, BROWSERS])],
        ...["--environment", environment, "--json"],
      ],
      { ...workspace.env, DEVID_MANAGEMENT_KEY: "wrong-key" },
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failure: expect.stringContaining("401") as string,
      diff: { changes: [{ kind: "added" }] },
      impact: { absent: "the service was not asked" },
    });
    expect(lastError(stderr)).toMatchObject({ exitCode: 1 });
    // Only the key that reads past events is refused.
    const secret = await repository.review(
      [rules, "--base", "HEAD", "--json"],
      {
        ...workspace.env,
        DEVID_SECRET_KEY: "wrong-key",
      },
    );
    expect(secret.code).toBe(1);
    expect(lastError(secret.stderr).message).toContain("403");
  });

  it("shows no configured key anywhere", async () => {
    const { managementKey } = workspace.service.workspaces.us;
    const { stdout } = await repository.review(
      [
        ...[rules, "--base", `ref-${managementKey}`, "--json"],
        ...["--stack", managementKey, "--environment", managementKey],
      ],
      workspace.env,
    );
    expect(stdout).toContain("ref-[redacted]");
    expect(stdout).not.toContain(managementKey);
  });

  it("reports both errors when the file cannot be written either", async () => {
    const nowhere = join(repository.path, "none/review.md");
    const args = [rules, "--base", "nowhere", "--out", nowhere];
    const stderr = await failed(repository.review(args));
    expect(stderr).toContain("none/review.md cannot be written");
    expect(stderr).toContain("nor a git ref");
  });

  it("writes no report when a flag is wrong", async () => {
    for (const args of [
      ["--nonsense"],
      ["--commit", "main"],
      ["--within", "soon"],
      ["--min-events", "few"],
    ]) {
      const ran = await repository.review([
        ...[rules, "--base", "HEAD", "--out", out, ...args],
      ]);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toMatch(/^error: /);
      expect(existsSync(out)).toBe(false);
    }
  });
});
