import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, makeWorkFolder } from "../helpers/engine-stack";
import { expectGolden } from "../helpers/golden";
import { LocalWorkspace } from "../helpers/local-workspace";
import { githubSteps, gitlabJob } from "../helpers/pipeline";
import { ReviewHost } from "../helpers/review-host";

// The pipelines of examples/gitops, each command as their files have it, in a
// git repository of its own. One story: each test goes on where the one before
// it stopped.

const EXAMPLE = resolve(__dirname, "../../examples/gitops");
const TOKEN = "token-of-the-review-host";
const MINUTE = 60_000;

/** What the platforms do themselves, or what cannot be done without the network. */
const PLUMBING = ["npm ci", "Take the plan of the pull request"];

let workspace: LocalWorkspace;
let host: ReviewHost;
let stack: EngineStack;
let origin: string;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  host = await ReviewHost.start(TOKEN);
  const { us } = workspace.service.workspaces;
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: us.managementKey,
      DEVID_SECRET_KEY: us.secretKey,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "Author",
      GIT_AUTHOR_EMAIL: "author@shop.example",
      GIT_COMMITTER_NAME: "Author",
      GIT_COMMITTER_EMAIL: "author@shop.example",
    },
    EXAMPLE,
  );
  await workspace.control("/us/events", pastEvents());
  origin = makeWorkFolder();
  await ok(`git init -q --bare "${origin}" && git init -q -b main .`);
  appendFileSync(join(stack.workFolder, ".git/info/exclude"), "/.engine/\n");
  await ok(`git add -A && git commit -qm "Rules as they are"`);
  await ok(`git remote add origin "${origin}" && git push -q origin main`);
  expect(await stack.up()).toEqual({ create: 2 });
});

afterAll(async () => {
  stack?.close();
  rmSync(origin, { recursive: true, force: true });
  await host?.close();
  await workspace?.close();
});

/** The requests of a day that were let through: our shop's, a few of them from one network that takes accounts over. */
function pastEvents(): unknown[] {
  const now = Date.now();
  return Array.from({ length: 200 }, (_, i) => {
    const isTakeover = i % 100 === 7;
    return {
      event_id: `${i}.shop`.padStart(12, "0"),
      timestamp: now - (i + 1) * 5 * MINUTE,
      url: "https://shop.example/login",
      origin: "https://shop.example",
      user_agent:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      ip_address: isTakeover ? "203.0.113.9" : "198.51.100.4",
      linked_id: isTakeover ? "account-1" : `customer-${i % 20}`,
      suspect_score: isTakeover ? 21 : 2,
      bot: isTakeover ? "bad" : "not_detected",
      sdk: { platform: "js", version: "4.0.0" },
    };
  });
}

/** Runs a command that has to work. */
async function ok(command: string): Promise<string> {
  const { code, output } = await stack.shell(command);
  expect(code, `${command}\n${output}`).toBe(0);
  return output;
}

const rulesFile = () => join(stack.workFolder, "rules.yaml");

/** Commits an edit of the rule file to a new branch. */
async function branch(name: string, edit: (text: string) => string) {
  await ok(`git switch -qc ${name}`);
  writeFileSync(rulesFile(), edit(readFileSync(rulesFile(), "utf8")));
  await ok(`git commit -qam "${name}" && git push -q origin ${name}`);
}

const insert = (rule: string) => (text: string) =>
  text.replace(
    "  - name: allow-our-shop\n",
    `${rule}  - name: allow-our-shop\n`,
  );

const denyNetwork = (name: string, network: string) => `  - name: ${name}
    expression: http.request.ip in cidr('${network}')
    action: deny
`;

/** The rule file with a rule that denies the network of the takeovers, and its test. */
const withTakeoverRule = (text: string) =>
  `${insert(denyNetwork("block-takeovers", "203.0.113.0/24"))(text)}  - name: a network that takes accounts over is denied
    request:
      headers: { Origin: https://shop.example }
      ip: 203.0.113.9
      sdkPlatform: js
    expect: { deny: block-takeovers }
`;

/** Runs a GitHub workflow's commands as GitHub would; answers what failed and all that was printed. */
async function github(file: string) {
  const steps = githubSteps(stack.workFolder, file, {
    "secrets.DEVID_MANAGEMENT_KEY":
      workspace.service.workspaces.us.managementKey,
    "secrets.DEVID_SECRET_KEY": workspace.service.workspaces.us.secretKey,
    "secrets.PULUMI_ACCESS_TOKEN": "",
    "vars.PULUMI_STACK": "test",
    "github.base_ref": "main",
    "github.token": TOKEN,
    "github.event.pull_request.number": "7",
    "github.event.pull_request.head.sha": "head",
  });
  const failed: string[] = [];
  let output = "";
  for (const step of steps) {
    if (PLUMBING.includes(step.name)) continue;
    if (failed.length > 0 && !step.afterFailure) continue;
    const ran = await stack.shell(step.run, {
      ...step.env,
      GITHUB_API_URL: host.url,
      GITHUB_REPOSITORY: "shop/rules",
    });
    output += ran.output;
    if (ran.code !== 0) failed.push(step.name);
  }
  return { failed, output };
}

/** Runs a GitLab job's script. */
async function gitlab(job: string) {
  const context: Record<string, string> = {
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  };
  const { run, env } = gitlabJob(stack.workFolder, job);
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(
        /\$(\w+)/g,
        (_, variable: string) => context[variable] ?? "",
      ),
    ]),
  );
  return stack.shell(run, {
    ...variables,
    GITLAB_CI: "true",
    GITLAB_TOKEN: TOKEN,
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: "1",
    CI_MERGE_REQUEST_IID: "7",
    CI_COMMIT_SHA: "head",
    PULUMI_STACK: "test",
  });
}

const inForce = async () =>
  (await workspace.list("filtering-rules")).map(({ name }) => name);

/** A review with the same time range, whenever it was made. */
const timeless = (review: string) =>
  review.replace(
    /from [-\d]+ [:\d]+ to [-\d]+ [:\d]+ UTC/,
    "from 2026-01-01 08:00:00 to 2026-01-02 08:00:00 UTC",
  );

/** What somebody does in the dashboard. */
async function setFirst(status: "enabled" | "disabled") {
  const [first] = await workspace.list("filtering-rules");
  await workspace.call("POST", `/filtering-rules/${String(first?.id)}`, {
    status,
  });
}

it("reviews an edited rule file in one comment, and keeps a plan", async () => {
  host.comments.push(
    ...Array.from({ length: 100 }, (_, id) => ({ id: id + 1, body: "LGTM" })),
  );
  await branch("takeovers", withTakeoverRule);
  expect(await github("rules-review.yml")).toMatchObject({ failed: [] });
  const comment = timeless(host.comments[100]?.body ?? "");
  expectGolden("gitops/comment.md", comment);
  const readme = readFileSync(resolve(__dirname, "../../README.md"), "utf8");
  const [, ...shown] = comment.trim().split("\n");
  expect(readme).toContain(shown.join("\n"));

  // A newer push is reviewed in the same comment.
  await ok(`git commit -q --allow-empty -m again`);
  expect(await github("rules-review.yml")).toMatchObject({ failed: [] });
  expect(host.comments).toHaveLength(101);
  expect(timeless(host.comments[100]?.body ?? "")).toBe(comment);
});

it("applies the plan on the merge, once", async () => {
  await ok(
    "git switch -q main && git merge -q takeovers && git push -q origin main",
  );
  const mark = await workspace.mark();
  expect(await github("rules-apply.yml")).toMatchObject({ failed: [] });
  const calls = (await workspace.requestsSince(mark)).map(
    ({ method, path }) => `${method} ${path.split("?")[0]}`,
  );
  expect(calls).toEqual([
    "GET /management/environments",
    "GET /management/filtering-rules",
    "POST /management/filtering-rules/bulk",
  ]);
  expect(await inForce()).toEqual([
    "block-crawlers",
    "block-takeovers",
    "allow-our-shop",
    "block-other-sites",
  ]);
  expect(await stack.up()).toEqual({ same: 2 });
  expect(await github("rules-drift.yml")).toMatchObject({ failed: [] });
});

it("does not pass rules that deny too many of the past requests", async () => {
  await branch("everybody", (text) =>
    text.replace("'https://shop.example'\n", "'https://www.shop.example'\n"),
  );
  const { failed } = await github("rules-review.yml");
  expect(failed).toEqual(["Test", "Review"]);
  expect(host.comments).toHaveLength(101);
  expect(host.comments[100]?.body).toContain("allow-our-shop");
  await ok("git switch -q main");
});

it("does the same on GitLab", async () => {
  await branch("office", insert(denyNetwork("block-office", "192.0.2.0/24")));
  const before = host.comments.length;
  expect(await gitlab("review")).toMatchObject({ code: 0 });
  expect(host.requests.at(-1)).toMatch(
    /^PUT .*\/merge_requests\/7\/notes\/101$/,
  );
  expect(host.comments).toHaveLength(before);
  expect(host.comments[100]?.body).toContain("block-office");

  const plan = join(stack.workFolder, "plan.json");
  host.plan = readFileSync(plan, "utf8");
  rmSync(plan);
  await ok(
    "git switch -q main && git merge -q office && git push -q origin main",
  );
  expect(await gitlab("apply")).toMatchObject({ code: 0 });
  expect(host.requests.at(-1)).toBe(
    "GET /projects/1/jobs/artifacts/refs/merge-requests/7/head/raw/plan.json",
  );
  expect(await inForce()).toContain("block-office");
  expect(await gitlab("drift")).toMatchObject({ code: 0 });
});

it("names an edit out of band, and refuses the planned update that would drop it", async () => {
  await branch("no-office", (text) =>
    text.replace(/ {2}- name: block-office\n(?: {4}.*\n)+/, ""),
  );
  expect(await github("rules-review.yml")).toMatchObject({ failed: [] });
  await ok(
    "git switch -q main && git merge -q no-office && git push -q origin main",
  );

  await setFirst("disabled");
  const drift = await ok("npx devid rules diff rules.yaml live || test $? = 2");
  expect(drift).toContain("block-crawlers");
  expect(drift).toContain("disabled");
  expect(await github("rules-drift.yml")).toMatchObject({
    failed: ["Compare"],
  });
  expect(await gitlab("drift")).toMatchObject({ code: 2 });

  const { failed, output } = await github("rules-apply.yml");
  expect(failed).toEqual(["Apply"]);
  expect(output).toContain("changed by someone else");
  expect(output).toContain("block-crawlers");
  expect(await inForce()).toContain("block-office");
});

it("refuses, in the engine, a plan whose program has changed since", async () => {
  await setFirst("enabled");
  writeFileSync(
    rulesFile(),
    insert(denyNetwork("block-late", "192.0.2.7/32"))(
      readFileSync(rulesFile(), "utf8"),
    ),
  );
  const { failed, output } = await github("rules-apply.yml");
  expect(failed).toEqual(["Apply"]);
  expect(output).toContain("violates plan");
  expect(await inForce()).not.toContain("block-late");
});
