import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { dirname } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FakeCodeHost } from "../../helpers/fake-code-host";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { CiRepository, FILE, type CiGiven } from "./ci-repository";
import { GITHUB, GITLAB, HOSTS, TOKENS } from "../../helpers/host-cases";
import { textOf } from "../../helpers/repository";
import { failed, succeeded } from "../devid-process";
import { allow, rule } from "../../rules/diff/rule";

// The situations of docs/review.md that need no engine: devid ci with the conditions of examples/gitops, on
// hosts on loopback, and with a stand-in for the engine. The tests of GitOps in
// test/e2e have the others.

/** The conditions of the example's pipelines. */
const [ARGUMENTS = ""] =
  /(?: +--fail-on .*\n)+/.exec(
    textOf("examples/gitops/.github/workflows/rules-review.yml"),
  ) ?? [];
const GATES = ARGUMENTS.replaceAll('"', "").trim().split(/\s+/);

const CRAWLERS = rule("block-crawlers", "http.user_agent.is_crawler_bot");
const SHOP = allow(
  "allow-our-shop",
  "http.request.headers['Origin'][0] == 'https://shop.example'",
);
const OTHERS = rule("block-other-sites", "sdk.platform.is_browser");
const OFFICE = rule("block-office", "http.request.ip in cidr('192.0.2.0/24')");
const BY_HAND = rule("by-hand", "sdk.platform.is_android");
const MAIN = {
  rules: [CRAWLERS, SHOP, OTHERS],
  assume_not_sent: ["X-Shop-Probe"],
  tests: [
    {
      name: "our shop is served",
      request: {
        headers: { Origin: "https://shop.example" },
        sdkPlatform: "js",
      },
      expect: { allow: "allow-our-shop" },
    },
  ],
};
const withRules = (...rules: readonly object[]) => ({ ...MAIN, rules });
const CHANGED = withRules(OFFICE, CRAWLERS, SHOP, OTHERS);

const workspace = openForTests(new LocalWorkspace());
const host = openForTests(new FakeCodeHost(TOKENS));
let repository: CiRepository;
let environment: string;

const putInForce = (rules: readonly object[]) => workspace.enforce(rules);

beforeAll(async () => {
  ({ environment } = workspace.service.workspaces.us);
  const now = Date.now();
  await workspace.control(
    "/us/events",
    Array.from({ length: 200 }, (_, i) => ({
      timestamp: now - (i + 1) * 5 * 60_000,
      url: "https://shop.example/login",
      origin: "https://shop.example",
      user_agent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0",
      ip_address: "198.51.100.4",
      sdk: { platform: "js", version: "4.0.0" },
    })),
  );
});
beforeEach(async () => {
  repository = new CiRepository(workspace, host, MAIN);
  await putInForce(MAIN.rules);
});
afterEach(() => {
  repository.close();
  host.clear();
});

/** Reviews a change with the conditions of the example. */
const review = (
  commit: string,
  { flags = [], planned, ...given }: CiGiven = {},
  on = GITHUB,
) =>
  repository.review(on, commit, {
    ...given,
    flags: [...GATES, ...flags],
    planned: { before: MAIN.rules, ...planned },
  });

const change = (file: unknown = CHANGED) =>
  repository.push("change", { [FILE]: file });

const situations: string[] = [];

/** A situation of docs/review.md; every other test here is about what is obvious there. */
function situation(name: string, act: () => Promise<void>): void {
  situations.push(name);
  it(name, act);
}

it("A review of an older commit is run again", async () => {
  const older = change();
  const newest = repository.push("change", { "notes.md": "more" }, "change");
  await review(newest);
  const before = host.review();
  const { stdout } = await succeeded(review(older, { newest }));
  expect(stdout).toContain(`The newest commit is ${newest}`);
  expect(host.review()).toBe(before);
});

situation("The program has other rules than the file", async () => {
  const rules = [CRAWLERS, OTHERS];
  const result = await review(change(), { planned: { rules } });
  expect(result).toMatchObject({ code: 2, isKept: false });
  expect(host.review()).toContain("✗ `plan-differs`:");
  expect(host.review()).toContain("without block-office, allow-our-shop");
});

situation("The branch is behind the main branch", async () => {
  // GitLab reviews the branch itself, and no merge.
  const head = change();
  repository.merge(
    repository.push("first", { [FILE]: withRules(BY_HAND, ...MAIN.rules) }),
  );
  await putInForce([BY_HAND, ...MAIN.rules]);
  const result = await review(head, { request: "8" }, GITLAB);
  expect(result).toMatchObject({ code: 2, isKept: false });
  expect(host.review("8")).toContain("The plan deletes by-hand");
});

situation("The rule file is new", async () => {
  const head = repository.push("change", { "new.json": CHANGED });
  const result = await review(head, {
    file: "new.json",
    planned: { rules: CHANGED.rules },
  });
  expect(result).toMatchObject({ code: 0, isKept: true });
  expect(host.review()).toContain("the file is not there");
});

it("Two environments or stacks", async () => {
  const head = change();
  await review(head);
  await review(head, { env: { RULES_ENVIRONMENT: environment } });
  expect(host.on("7").map(({ body }) => body.split("\n")[0])).toEqual([
    `<!-- devid-review:${FILE}:stack=prod -->`,
    `<!-- devid-review:${FILE}:environment=${environment}:stack=prod -->`,
  ]);
  expect(new Set(host.artifacts.map(({ name }) => name)).size).toBe(2);
});

situation("The first deployment takes over rules made by hand", async () => {
  await putInForce([BY_HAND]);
  const planned = { op: "create", after: { takeOver: true } };
  expect(await review(change(), { planned })).toMatchObject({ code: 2 });
  expect(host.review()).toContain("The plan deletes by-hand");
  expect(host.review()).toContain("✗ `plan-differs`:");
});

situation("A rule reads a header that past events do not contain", async () => {
  const reading = (header: string) =>
    withRules(
      rule("reads", `'${header}' in http.request.headers`),
      ...MAIN.rules,
    );
  expect(await review(change(reading("Sec-Ch-Ua")))).toMatchObject({ code: 2 });
  expect(host.review()).toContain(
    "`newly-denied>5%` cannot be judged: `200 (100%) are undetermined, more than --max-undetermined 5%`",
  );
  // The file of the main branch says that no client sends this one.
  const probes = await review(change(reading("X-Shop-Probe")));
  expect(probes).toMatchObject({ code: 0, isKept: true });
});

situation("There are more past events than can be read in time", async () => {
  // Over the whole range: a sample could read all of a burst, and would then be exact.
  const newest = Date.now() - 60_000;
  await workspace.control(
    "/us/events",
    Array.from({ length: 10_000 }, (_, i) => ({
      ...{ timestamp: newest - i * 25_000, url: "https://shop.example/" },
      ...{ origin: "https://shop.example", ip_address: "198.51.100.4" },
      sdk: { platform: "js", version: "4.0.0" },
    })),
  );
  // How --within chooses the size of a sample, rules-impact.test.ts says.
  const flags = ["--since", "3d", "--sample", "1000"];
  const { code } = await review(change(), { flags });
  expect(host.review()).toMatch(/A sample of [\d,]+ events of about/);
  // The upper bound decides: of the sample itself, no event is newly denied.
  const [, sign, upper] =
    /([✓✗]) `newly-denied>5%`: `about 0 or 0% \(0 to [\d,]+, 0% to ([\d.]+)%\)`/.exec(
      host.review(),
    ) ?? [];
  expect([sign, code]).toEqual(Number(upper) > 5 ? ["✗", 2] : ["✓", 0]);
});

const FAILED = JSON.stringify({
  steps: [],
  diagnostics: [
    {
      message:
        "the update is refused: it deletes 2 of 3 rules, more than maxDeletedPercent allows\n",
      severity: "error",
    },
  ],
});

situation("A pull request comes from a fork", async () => {
  const env = {
    ...{ DEVID_MANAGEMENT_KEY: "", DEVID_SECRET_KEY: "" },
    GITHUB_TOKEN: "token-of-fork",
  };
  const { code, stderr, isKept } = await review(change(), { env });
  expect([code, isKept]).toEqual([1, false]);
  expect(stderr).toMatch(/was answered 403/);
  expect(host.on("7")).toEqual([]);
  expect(repository.noted("calls")).toBe("");
  // The summary of the run has the review, the reason, and the results that need no key.
  const summary = repository.noted("summary");
  expect(summary).toContain("A pull request from a fork is given no secrets");
  expect(summary).toContain("1 test passed");
});

it("A policy refuses the deployment", async () => {
  const events = textOf("test/cli/sources/recorded/policies-dynamic.events");
  const planned = { output: FAILED, code: 1, events };
  const result = await review(change(), { planned });
  expect(result).toMatchObject({ code: 2, isKept: false });
  expect(host.review()).toContain("policies refuse it: webhook-https-and");
});

it("A pull request is merged whose review failed", async () => {
  const head = change();
  await review(head, { planned: { rules: [] } });
  const result = await repository.apply(GITHUB, repository.merge(head));
  expect(result.code).toBe(1);
  expect(repository.noted("calls")).not.toContain("up ");
  const said = host.on("7")[1]?.body;
  expect(said).toContain(
    "The review of pull request 7 failed, and kept no plan.",
  );
  expect(said).toContain("Recover filtering rules");
});

situation("A stranger keeps a plan under the same name", async () => {
  const head = change();
  await review(head);
  const [own] = host.artifacts;
  const [run] = host.runs;
  if (!own || !run) return expect.fail("There is no plan.");
  host.runs.unshift({ ...run, id: 1, from: "stranger/rules" });
  host.artifacts.unshift({ ...own, id: 99, run: 1, bytes: Buffer.from("x") });
  const result = await repository.apply(GITHUB, repository.merge(head));
  expect(result.stderr).not.toContain("was not applied");
  expect(repository.noted("applied.json")).toContain("resourcePlans");
  // A program in YAML reads the digest from the file, another one from the environment.
  expect(repository.noted("in-force")).toMatch(/^(sha256:\w+) \1\n$/);
});

situation("A recovery is started on an older commit", async () => {
  repository.merge(change());
  const older = repository.commitOf("main~");
  expect(
    await failed(repository.run(GITHUB, "recover", { commit: older })),
  ).toContain("main has moved on");
  expect(host.comments).toEqual([]);
});

situation("The rule of the dashboard is taken into the file", async () => {
  // A merge was refused, because of a rule of the dashboard.
  repository.merge(change(), { request: "6" });
  await putInForce([...MAIN.rules, BY_HAND]);
  const file = withRules(...CHANGED.rules, BY_HAND);
  const result = await review(change(file));
  expect(result).toMatchObject({ code: 2, isKept: false });
  expect(host.review()).toContain("✗ `plan-differs`:");
  expect(host.review()).toContain(
    "The plan adds block-office, which is in main",
  );
});

situation("Two applies run at once", async () => {
  const head = change();
  await review(head);
  // The engine has the lock; hosts run one apply of a stack at a time. It has no event for that.
  const message = "error: the stack is currently locked by 1 lock(s)";
  repository.data("up.events", "");
  repository.data("up.log", `${message}\n`);
  repository.data("up.code", "255");
  const merged = repository.merge(head);
  expect(await failed(repository.apply(GITHUB, merged))).toContain(message);
  const said = host.on("7")[1]?.body;
  expect(said).toContain("was not applied");
  expect(said).toContain("the stack is currently locked");
  expect(said).toContain("The way out");
});

it("The apply may not comment, and yet marks the reviews of open requests as outdated", async () => {
  const head = change();
  for (const request of ["7", "8"]) await review(head, { request });
  host.locked.add("7");
  const merged = repository.merge(head);
  expect(await failed(repository.apply(GITHUB, merged))).toContain("403");
  expect(host.review("8")).toContain("**Outdated:**");
});

it("The apply is cancelled", async () => {
  const head = change();
  await review(head);
  repository.data("up.waits", "");
  const merged = repository.merge(head);
  const apply = repository.startApply(GITHUB, merged);
  await expect
    .poll(() => repository.noted("updating"), { timeout: 60_000 })
    .not.toBe("");
  // As GitHub asks a step to end.
  apply.child.kill("SIGINT");
  expect(await apply.ended()).toBe(1);
  // The engine has ended its update by itself, and the comment has the way out.
  expect(repository.hasNoted("interrupted")).toBe(true);
  expect(host.on("7")[1]?.body).toContain("The way out");
});

it.each([0, 20, 60])(
  "The apply is cancelled again after %i ms, and leaves no plan and no log of the engine behind",
  async (ms) => {
    const head = change();
    await review(head);
    repository.data("up.waits", "");
    const apply = repository.startApply(GITHUB, repository.merge(head));
    await expect
      .poll(() => repository.noted("updating"), { timeout: 60_000 })
      .not.toBe("");
    const [, plan = ""] =
      /^up .*--plan (\S+)/m.exec(repository.noted("calls")) ?? [];
    expect(existsSync(plan)).toBe(true);
    apply.child.kill("SIGINT");
    await setTimeout(ms);
    apply.child.kill("SIGTERM");
    await apply.ended();
    expect(existsSync(dirname(plan))).toBe(false);
  },
);

situation("The main branch moves under an open pull request", async () => {
  const head = change();
  await review(head, { request: "8" });
  const reviewed = host.review("8");
  host.heads.set("9", head);
  host.forks.add("9");
  for (const on of HOSTS) {
    for (const request of ["8", "9"]) host.add(request, on.author, reviewed);
    const { stdout } = await succeeded(repository.run(on, "review-again"));
    expect(stdout).toContain("9 comes from a fork");
    expect(host.reviewedAgain.splice(0)).toEqual(["8"]);
  }
});

it("The change in the dashboard is overwritten by a recovery", async () => {
  await putInForce([...MAIN.rules, BY_HAND]);
  const planned = { before: MAIN.rules };
  expect(await repository.run(GITHUB, "recover", { planned })).toMatchObject({
    ...{ code: 0, isKept: true },
  });
  expect(repository.noted("calls")).toContain("--refresh");
  const [said] = host.comments;
  expect(said?.body).toMatch(/^<!-- devid-recovery:/);
  expect(said?.body).toContain("by-hand");
  await repository.run(GITHUB, "recover-apply");
  expect(repository.noted("calls")).toMatch(/^up .*--refresh/m);
});

it("a check for drift knows the objects of --other-stack", async () => {
  const { id } = await workspace.make("/webhooks", {
    url: "https://hooks.shop.example/of-another-stack",
  });
  await review(change());
  repository.git.file("Pulumi.yaml", "name: shop\n");
  const resources = [{ urn: "urn:pulumi:staging::shop::x::hook", id }];
  repository.data("state.json", JSON.stringify({ deployment: { resources } }));
  const issue = async (...flags: string[]) => {
    await repository.run(GITHUB, "drift", { flags });
    return host.issues[0]?.body;
  };
  expect(await issue()).toContain(id);
  expect(await issue("--other-stack", "staging")).not.toContain(id);
  expect(repository.noted("calls")).toContain("stack export --stack staging");
});

it.each(HOSTS)(
  "a check for drift that cannot judge says why in the issue, and fails: $name",
  async (on) => {
    const env = { DEVID_MANAGEMENT_KEY: "wrong" };
    const { code } = await repository.run(on, "drift", { env });
    expect(code).toBe(1);
    const [issue] = host.issues;
    expect(issue?.body).toContain("The management key is not known here");
    if (!on.isGitLab)
      expect(repository.noted("summary")).toContain("not known here");
  },
);

it("the exit code is 3 if the service does not answer, and 1 if git refuses to read the repository", async () => {
  const head = change();
  await review(head);
  const merged = repository.merge(head);
  const run = async (env: Record<string, string>) => [
    await repository.apply(GITHUB, merged, { env }),
    await repository.run(GITHUB, "drift", { env }),
    await review(head, { env }),
  ];
  for (const { code } of await run({ DEVID_ENDPOINT: "http://127.0.0.1:9" }))
    expect(code).toBe(3);
  const foreign = await run({ GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
  for (const { code, stderr } of foreign) {
    expect(code).toBe(1);
    expect(stderr).toMatch(/^devid: .* git config .*safe\.directory \S+\.\n$/);
  }
});

it("the event that would give keys to a fork is refused before anything is planned", async () => {
  const { code, stderr } = await review(change(), {
    env: { GITHUB_EVENT_NAME: "pull_request_target" },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("use pull_req")]);
  expect(repository.noted("calls")).toBe("");
});

it("a workflow that was started by hand without a pull request reviews, and comments nowhere", async () => {
  const event = { inputs: { pull_request: "" } };
  repository.data("by-hand.json", JSON.stringify(event));
  const { code, isKept } = await review(change(), {
    env: { GITHUB_EVENT_PATH: repository.place("by-hand.json") },
  });
  expect([code, isKept, host.comments]).toEqual([0, true, []]);
});

it.each(HOSTS)(
  "the engine is given the keys, and not the token of $name",
  async (on) => {
    const result = await review(change(), {}, on);
    expect(result).toMatchObject({ code: 0, isKept: true });
    expect(repository.noted("keys")).toBe("DEVID_MANAGEMENT_KEY\n");
    expect(host.review().trimEnd().split("\n").at(-1)).toBe(
      `<!-- devid-plan:${repository.digestKept()}:run=501:commit=${host.heads.get("7")} -->`,
    );
  },
);

it("what is played as a situation here or on an engine is on docs/review.md, and all that is there is played", () => {
  const [, section = ""] = textOf("docs/review.md").split("\n## Situations\n");
  const names = [
    ...(section.split("\n## ")[0] ?? "").matchAll(/^- \*\*(.+?)\*\*:/gm),
  ].map(([, name = ""]) => name);
  const onEngine = ["gitops.e2e", "gitops-refused.deep", "gitops-gitlab.deep"]
    .flatMap((name) => [
      ...textOf(`test/e2e/${name}.test.ts`).matchAll(/^situation\("(.+)",/gm),
    ])
    .map(([, name = ""]) => name);
  expect([...situations, ...onEngine].sort()).toEqual(names.sort());
});
