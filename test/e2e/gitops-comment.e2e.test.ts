import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ReviewHost } from "../helpers/review-host";
import { folderForTests } from "../helpers/test-folder";

// The scripts of examples/gitops that comment on GitHub and GitLab, against a host on loopback.

const SCRIPTS = resolve(__dirname, "../../examples/gitops/ci");
const ACTIONS = { id: 1, login: "github-actions[bot]", isApp: true };
const ROBOT = { id: 2, login: "rules-robot" };
const ANA = { id: 3, login: "ana" };
const TOKENS = { "token-of-actions": ACTIONS, "token-of-robot": ROBOT };
const MARKER = "<!-- devid-review:rules.yaml:stack=prod -->";
const REVIEW = `${MARKER}\n### Review of \`rules.yaml\`\n`;

let host: ReviewHost;
const folder = folderForTests();

beforeAll(async () => {
  host = await ReviewHost.start(TOKENS, folder);
  host.heads.set("7", "c0ffee");
});

afterEach(() => {
  host.comments.length = 0;
  host.issues.length = 0;
  host.reviewedAgain.length = 0;
  for (const file of ["review.md", "applied.md", "drift.md"])
    rmSync(join(folder, file), { force: true });
});

afterAll(async () => {
  await host.close();
});

const writeReview = (text = REVIEW) =>
  writeFileSync(join(folder, "review.md"), text);

/**
 * Runs a script with only the given environment and PATH. A kind of comment runs comment.mjs;
 * otherwise `what` names the script and its argument.
 */
function run(what: string, env: Record<string, string>, cwd = folder) {
  const [script = "", kind = ""] = what.includes(".mjs")
    ? what.split(" ")
    : ["comment.mjs", what];
  return new Promise<{ code: number; output: string }>((done) =>
    execFile(
      process.execPath,
      [join(SCRIPTS, script), kind],
      { cwd, env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  );
}

const github = (kind: string, env: Record<string, string> = {}, cwd?: string) =>
  run(
    kind,
    {
      GITHUB_TOKEN: "token-of-actions",
      GITHUB_API_URL: host.url,
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "shop/rules",
      GITHUB_RUN_ID: "11",
      PULL_REQUEST: "7",
      COMMIT: "c0ffee",
      RULES: "rules.yaml",
      PULUMI_STACK: "prod",
      ...env,
    },
    cwd,
  );

const gitlab = (kind: string, env: Record<string, string> = {}, cwd?: string) =>
  run(
    kind,
    {
      GITLAB_CI: "true",
      GITLAB_TOKEN: "token-of-robot",
      CI_API_V4_URL: host.url,
      CI_PROJECT_ID: "1",
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: "c0ffee",
      CI_JOB_URL: "https://gitlab.example/shop/rules/-/jobs/11",
      RULES: "rules.yaml",
      PULUMI_STACK: "prod",
      ...env,
    },
    cwd,
  );

describe.each([
  { name: "GitHub", on: github, author: ACTIONS },
  { name: "GitLab", on: gitlab, author: ROBOT },
])("on $name", ({ on, author }) => {
  it("edits its own comment, also on a later page", async () => {
    for (let i = 0; i < 230; i += 1) host.add("7", ANA, "LGTM");
    const own = host.add("7", author, `${MARKER}\r\nOlder`);
    writeReview();
    expect(await on("review")).toEqual({
      code: 0,
      output: "The comment was edited.\n",
    });
    expect(own.body).toBe(REVIEW);
    expect(host.comments).toHaveLength(231);
  });

  it("keeps a comment of somebody else that begins with the same line", async () => {
    const theirs = host.add("7", ANA, REVIEW);
    const quoted = host.add("7", author, `> quoted\n${REVIEW}`);
    writeReview();
    expect((await on("review")).output).toBe("The comment was made.\n");
    expect(host.on("7").map(({ author: { login } }) => login)).toEqual([
      "ana",
      author.login,
      author.login,
    ]);
    expect([theirs.body, quoted.body]).toEqual([REVIEW, `> quoted\n${REVIEW}`]);
  });

  it("writes a comment for each file, environment and stack", async () => {
    for (const scope of ["rules.yaml", "rules.yaml prod", "eu/rules.yaml"]) {
      writeReview(`<!-- devid-review:${scope} -->\nof ${scope}\n`);
      await on("review");
      await on("review");
    }
    expect(host.comments).toHaveLength(3);
  });

  it("replaces the comment of an older commit when there is no review, and names the commit", async () => {
    writeReview(`${MARKER}\nOlder`);
    await on("review");
    rmSync(join(folder, "review.md"));
    expect((await on("review")).code).toBe(0);
    expect(host.comments).toHaveLength(1);
    const body = host.comments[0]?.body;
    expect(body).toContain("Review of `rules.yaml` (stack `prod`) failed");
    expect(body).toContain("c0ffee");
    expect(body).toMatch(/\[log\]\(https:\/\/git(hub|lab)\.example\/.*11\)/);
  });

  it("leaves the comment unchanged when a newer commit exists", async () => {
    writeReview();
    const commit = { COMMIT: "beef", CI_COMMIT_SHA: "beef" };
    const { code, output } = await on("review", commit);
    expect(code).toBe(0);
    expect(output).toContain("The newest commit is c0ffee");
    expect(host.comments).toEqual([]);
  });

  it("cuts a text that is too long for a comment, and says so", async () => {
    writeReview(REVIEW.padEnd(70_000, "x"));
    expect((await on("review")).code).toBe(0);
    const body = host.comments[0]?.body ?? "";
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain("The rest is left out");
  });

  it("writes the way out on the request, in a comment of its own", async () => {
    writeReview();
    await on("review");
    const { code, output } = await on("not-applied");
    expect(code).toBe(0);
    expect(host.on("7")).toHaveLength(2);
    expect(host.on("7")[1]?.body).toMatch(/[Rr]ecover/);
    expect(output).toContain("The way out: start the");
  });

  it("replaces the way out by what was applied, and shows both after a partial apply", async () => {
    const applied = "<!-- devid-apply:rules.yaml:stack=prod -->\n### Applied\n";
    await on("not-applied");
    writeFileSync(join(folder, "applied.md"), applied);
    expect((await on("applied")).code).toBe(0);
    expect(host.on("7")).toHaveLength(1);
    const whole = host.on("7")[0]?.body;
    expect(whole).toContain("### Applied");
    expect(whole).not.toContain("The way out");
    expect(whole).toContain("c0ffee");
    expect(whole).toMatch(/\[log\]\(https:\/\/git(hub|lab)\.example\/.*11\)/);
    await on("not-applied");
    expect(host.on("7")[0]?.body).toContain("### Applied");
    expect(host.on("7")[0]?.body).toContain("The way out");
  });

  it("marks the reviews of other open requests as outdated, once", async () => {
    host.heads.set("8", "beef");
    const theirs = host.add("8", ANA, REVIEW);
    const own = host.add("8", author, REVIEW);
    const merged = host.add("9", author, REVIEW);
    for (let i = 0; i < 2; i += 1)
      expect((await on("outdated", { MAIN: "main" })).code).toBe(0);
    host.heads.delete("8");
    expect([theirs.body, merged.body]).toEqual([REVIEW, REVIEW]);
    const [marker, note, empty, ...rest] = own.body.split("\n");
    expect([marker, empty, rest.join("\n")]).toEqual([
      MARKER,
      "",
      REVIEW.slice(MARKER.length + 1),
    ]);
    expect(note).toContain("Outdated");
    expect(note).toContain("c0ffee");
  });

  it("restarts the reviews of open requests that have one, except for a fork on GitHub", async () => {
    for (const request of ["8", "9", "10"]) host.heads.set(request, "beef");
    host.forks.add("9");
    host.add("7", ANA, REVIEW);
    // The review is on a later page.
    for (let i = 0; i < 120; i += 1) host.add("8", ANA, "LGTM");
    host.add("8", author, REVIEW);
    host.add("9", author, REVIEW);
    const { code } = await on("review-again.mjs", { MAIN: "main" });
    for (const request of ["8", "9", "10"]) host.heads.delete(request);
    host.forks.clear();
    expect(code).toBe(0);
    expect(host.reviewedAgain).toEqual(on === github ? ["8"] : ["8", "9"]);
  });

  it("keeps one issue about drift: opens it, rewrites it, closes it, opens another", async () => {
    const drift = "<!-- devid-drift:rules.yaml:stack=prod -->";
    const theirs = {
      ...{ id: 1, author: ANA, title: "Drift", isOpen: true },
      body: `${drift}\nof Ana`,
    };
    const empty = { ...theirs, id: 2, body: "" };
    host.issues.push(theirs, empty);
    const write = (text: string) =>
      writeFileSync(join(folder, "drift.md"), text);
    write("### prod has drifted\n");
    expect((await on("issue.mjs drift")).output).toBe("An issue was opened.\n");
    write("x".repeat(70_000));
    expect((await on("issue.mjs drift")).output).toBe(
      "The issue was rewritten.\n",
    );
    expect(host.issues).toHaveLength(3);
    const own = host.issues[2];
    expect(own).toMatchObject({
      ...{ author, title: "Drift of prod (rules.yaml)", isOpen: true },
      body: expect.stringMatching(/^<!-- devid-drift:.*c0ffee/s) as string,
    });
    expect((await on("issue.mjs none")).output).toBe("The issue was closed.\n");
    expect(own?.isOpen).toBe(false);
    expect(host.on("3")[0]?.body).toContain("Nothing differs any more");
    expect((await on("issue.mjs none")).output).toBe("");
    rmSync(join(folder, "drift.md"));
    await on("issue.mjs drift");
    expect(host.issues[3]?.body).toContain("before there was a report");
    expect([theirs.isOpen, theirs.body]).toEqual([true, `${drift}\nof Ana`]);
  });

  it("names the file by its path in the repository, also from a subfolder", async () => {
    const place = mkdtempSync(join(tmpdir(), "monorepo-"));
    execFileSync("git", ["init", "-q", place]);
    const below = join(place, "shop/eu");
    mkdirSync(below, { recursive: true });
    const marker = "<!-- devid-review:shop/eu/rules.yaml:stack=prod -->";
    const green = host.add("7", author, `${marker}\nGreen`);
    // A failed review without a report replaces the earlier comment.
    await on("review", {}, below);
    expect(host.on("7")).toHaveLength(1);
    expect(green.body).toContain("Review of `shop/eu/rules.yaml`");
    expect(green.body).toContain("failed");
    rmSync(place, { recursive: true });
  });

  it("comments on the commit for a recovery, each time in a new comment", async () => {
    writeReview();
    await on("recovery");
    await on("recovery");
    expect(host.on("c0ffee").map(({ body }) => body)).toEqual([REVIEW, REVIEW]);
  });

  it.each([
    ["no token", { GITHUB_TOKEN: "", GITLAB_TOKEN: "" }, /_TOKEN is not set/],
    [
      "a wrong token",
      { GITHUB_TOKEN: "wrong-token", GITLAB_TOKEN: "wrong-token" },
      /was answered 401: "Bad credentials"/,
    ],
    [
      "no answer",
      {
        GITHUB_API_URL: "http://127.0.0.1:9",
        CI_API_V4_URL: "http://127.0.0.1:9",
      },
      /was not answered: /,
    ],
  ])("%s causes an error of one sentence", async (_, env, sentence) => {
    writeReview();
    const { code, output } = await on("review", env);
    expect(code).toBe(1);
    expect(output).toMatch(sentence);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).not.toMatch(/wrong-token|token-of/);
  });
});

it("a GitHub app other than Actions is recognised by COMMENT_AUTHOR", async () => {
  writeReview();
  const own = host.add("7", ANA, `${MARKER}\nOlder`);
  await github("review", { COMMENT_AUTHOR: "ana" });
  expect(own.body).toBe(REVIEW);
});

it("a push to GitLab's main branch is commented on its merge request, or else on the commit", async () => {
  host.cameWith.set("c0ffee", "7");
  await gitlab("not-applied", { CI_MERGE_REQUEST_IID: "" });
  await gitlab("not-applied", {
    CI_MERGE_REQUEST_IID: "",
    CI_COMMIT_SHA: "beef",
  });
  expect(host.comments.map(({ on }) => on)).toEqual(["7", "beef"]);
});
