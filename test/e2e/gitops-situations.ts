import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  AUTHORS,
  GitOpsRepository,
  READING_TOKEN,
} from "../helpers/gitops-repository";
import { expectGolden } from "../helpers/golden";
import type { Form } from "../helpers/program-form";

const MINUTE = 60_000;

/**
 * Runs the situations of docs/review.md as tests, in the same order, with a program in one form.
 * Each command comes from the files of examples/gitops. The situations are one story: the main
 * branch, the rules in force and the stack are as the previous situation left them. With the
 * plugin, only the situations that depend on the form run.
 */
export function playSituations(form: Form): void {
  let gitops: GitOpsRepository;
  /** ID of a second environment. */
  let staging: string;
  const situations: string[] = [];

  /** A test for one row of the table of docs/review.md. */
  function situation(name: string, act: () => Promise<void> | void): void {
    situations.push(name);
    if (form === "dynamic" || DEPENDS_ON_FORM.has(name)) it(name, act);
  }

  /** Situations that depend on the form of the program, and situations that those build on. */
  const DEPENDS_ON_FORM = new Set([
    "A rule is added, removed, moved or edited",
    "The pull request is merged",
    "The program has other rules than the file",
    "A guard is loosened",
    "The rule file is renamed",
    "Two environments or stacks",
    "There are no past events of the environment",
    "A rule is added in the dashboard after the review",
    "A key is refused, or the service is not there",
    "A policy refuses the deployment",
    "A pull request is merged whose review failed",
    "The main branch is recovered",
    "The rule of the dashboard is taken into the file",
    "The change in the dashboard is overwritten by a recovery",
  ]);

  beforeAll(async () => {
    gitops = await GitOpsRepository.open(form);
    await gitops.workspace.control("/us/events", pastEvents());
    expect(await gitops.deploy()).toEqual({ create: 2 });
    // The keys that every local service has at its start.
    await gitops.allow(
      (await gitops.workspace.list("api-keys")).map(({ id }) => String(id)),
    );
  });

  afterAll(() => gitops?.close());

  /** The allowed requests of a day: our shop's requests, and a few from one network that takes over accounts. */
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

  type Edit = (text: string) => string;

  /** The rule file with one more rule, placed before another rule. */
  const withRule = (
    name: string,
    network: string,
    before = "allow-our-shop",
  ) => {
    const edit: Edit = (text) =>
      text.replace(
        `  - name: ${before}\n`,
        `  - name: ${name}
    expression: http.request.ip in cidr('${network}')
    action: deny
$&`,
      );
    return { "rules.yaml": edit };
  };

  /** The rule file with a rule that denies no past request. */
  const withOffice = withRule("block-office", "192.0.2.0/24", "block-crawlers");

  /** The rule file with a rule that denies the network of the account takeovers, and a test for that rule. */
  const withTakeoverRule: Edit = (text) =>
    `${withRule("block-takeovers", "203.0.113.0/24")["rules.yaml"](text)}  - name: a network that takes accounts over is denied
    request:
      headers: { Origin: https://shop.example }
      ip: 203.0.113.9
      sdkPlatform: js
    expect: { deny: block-takeovers }
`;

  /** The only comment on the pull request. */
  function comment(request = "7"): string {
    const own = gitops.host
      .on(request)
      .filter(({ body }) => body.startsWith("<!-- devid-review"));
    expect(own).toHaveLength(1);
    return own[0]?.body ?? "";
  }

  /** The rules in force in the default environment. */
  const rulesInForce = async () =>
    (await gitops.workspace.list("filtering-rules")).filter(
      ({ environment }) => environment !== staging,
    );

  const inForce = async () => (await rulesInForce()).map(({ name }) => name);

  /** The review without parts that depend on the day or the repository. */
  const timeless = (review: string) =>
    review
      .replace(
        /from [-\d]+ [:\d]+ to [-\d]+ [:\d]+ UTC/,
        "from 2026-01-01 08:00:00 to 2026-01-02 08:00:00 UTC",
      )
      .replace(/\bae_\w{16}/g, "ae_0123456789abcdef")
      .replace(/(?<=at |Commit `)[0-9a-f]{10}\b/g, "0123456789");

  /** A rule that somebody adds in the dashboard. */
  const addInDashboard = (name: string, environment: string) =>
    gitops.workspace.call("POST", "/filtering-rules", {
      name,
      expression: "sdk.platform.is_android",
      action: "deny",
      status: "enabled",
      environment,
    });

  /** Creates an object with the management API. Returns one of its fields. */
  async function made(path: string, member: string, body: unknown) {
    const object = await gitops.workspace.call("POST", path, body);
    return String((object as Record<string, unknown>)[member]);
  }

  situation("A rule is added, removed, moved or edited", async () => {
    const head = await gitops.push("takeovers", {
      "rules.yaml": withTakeoverRule,
    });
    expect(await gitops.review(head)).toMatchObject({ failed: [] });
    const body = timeless(comment());
    expectGolden("gitops/comment.md", body);
    const page = readFileSync(
      resolve(__dirname, "../../docs/review.md"),
      "utf8",
    );
    const [, ...shown] = body.trim().split("\n");
    expect(page).toContain(shown.join("\n"));
  });

  situation(
    "A newer commit is pushed, or the branch is rewritten",
    async () => {
      const before = comment();
      await gitops.git(
        "switch -q takeovers && git commit -q --amend -m Reworded",
      );
      const head = await gitops.commit("Again");
      expect(await gitops.review(head)).toMatchObject({ failed: [] });
      expect(comment()).not.toBe(before);
      expect(timeless(comment())).toBe(timeless(before));
      expect(comment()).toContain(head.slice(0, 10));
    },
  );

  situation("A review of an older commit is run again", async () => {
    const before = comment();
    const newest = await gitops.git("rev-parse takeovers");
    const older = await gitops.git("rev-parse takeovers~");
    const { failed, output } = await gitops.review(older, { newest });
    expect(failed).toEqual([]);
    expect(output).toContain(`The newest commit is ${newest}`);
    expect(comment()).toBe(before);
  });

  situation("Somebody else writes a comment with the same marker", async () => {
    const [marker = ""] = comment().split("\n");
    const text = `${marker}\nLooks good to me`;
    gitops.host.comments.unshift({
      id: 1000,
      on: "7",
      author: AUTHORS.reviewer,
      body: text,
    });
    const head = await gitops.git("rev-parse takeovers");
    expect(await gitops.review(head)).toMatchObject({ failed: [] });
    expect(gitops.host.comments.shift()?.body).toBe(text);
    expect(comment()).toContain(head.slice(0, 10));
  });

  situation("The pull request is merged", async () => {
    const head = await gitops.git("rev-parse takeovers");
    const merged = await gitops.merge("takeovers");
    const mark = await gitops.workspace.mark();
    expect(await gitops.apply(head, merged)).toMatchObject({ failed: [] });
    const calls = (await gitops.workspace.requestsSince(mark)).map(
      ({ method, path }) => `${method} ${path.split("?")[0]}`,
    );
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([
      "POST /management/filtering-rules/bulk",
    ]);
    expect(await inForce()).toEqual([
      "block-crawlers",
      "block-takeovers",
      "allow-our-shop",
      "block-other-sites",
    ]);
    expect(await gitops.drift()).toMatchObject({ failed: [] });
  });

  situation("Too many of the past requests would be denied", async () => {
    const head = await gitops.push("everybody", {
      "rules.yaml": (text) =>
        text.replace(
          "'https://shop.example'\n",
          "'https://www.shop.example'\n",
        ),
    });
    const request = "8";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("✗ `newly-denied>5%` holds");
  });

  situation("The program has other rules than the file", async () => {
    const head = await gitops.push("in-program", gitops.program.ownRules);
    const request = "9";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("✗ `plan-differs` holds");
    expect(comment(request)).toContain("block-takeovers");
  });

  situation("The branch is behind the main branch", async () => {
    const first = await gitops.git("rev-list --max-parents=0 origin/main");
    const head = await gitops.push(
      "behind",
      withRule("a", "192.0.2.1/32"),
      first,
    );
    const request = "10";
    // GitLab reviews the branch itself, not a merge.
    const run = await gitops.gitlab("review", head, {
      isMergeRequest: true,
      request,
    });
    expect(run).toMatchObject({ failed: ["review"] });
    expect(comment(request)).toContain("✗ `plan-differs` holds");
    expect(comment(request)).toContain("block-takeovers");
  });

  situation("A guard is loosened", async () => {
    const head = await gitops.push(
      "loosened",
      gitops.program.setting("maxDeletedPercent", 100),
    );
    const request = "11";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain(
      "`maxDeletedPercent` from `50` to `100` (a looser guard)",
    );
    expect(comment(request)).toContain("✗ `plan-differs` holds");
  });

  const named = (file: string) => ({
    ...gitops.program.ruleFile(file),
    ".github/workflows/rules-review.yml": (text: string) =>
      text.replace("rules: rules.yaml", `rules: ${file}`),
  });

  situation("The rule file is renamed", async () => {
    await gitops.push("renamed", named("filtering.yaml"));
    const path = (file: string) => join(gitops.author, file);
    renameSync(path("rules.yaml"), path("filtering.yaml"));
    const head = await gitops.commit("Renamed");
    const request = "12";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    expect(comment(request)).toContain("renamed from rules.yaml");
  });

  situation("The rule file is renamed and edited", async () => {
    const path = join(gitops.author, "filtering.yaml");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(
        "'https://shop.example'\n",
        "'https://www.shop.example'\n",
      ),
    );
    const head = await gitops.commit("Renamed and edited");
    const request = "12";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: ["Review"],
    });
    expect(comment(request)).toContain("✗ `newly-denied>5%` holds");
  });

  situation("The rule file is new", async () => {
    await gitops.push("new", named("shop.yaml"));
    writeFileSync(
      join(gitops.author, "shop.yaml"),
      withOffice["rules.yaml"](
        readFileSync(join(gitops.author, "rules.yaml"), "utf8"),
      ),
    );
    const head = await gitops.commit("New");
    const request = "13";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    expect(comment(request)).toContain("the file is not there");
  });

  situation("Two environments or stacks", async () => {
    staging = await made("/environments", "id", { name: "Staging" });
    await addInDashboard("made-by-hand", staging);
    await gitops.push("take-over", gitops.program.setting("takeOver", true));
    await gitops.ok(`cd "${gitops.author}" && pulumi stack init staging`);
    if (gitops.program.form === "plugin")
      await gitops.ok(
        `cd "${gitops.author}" && pulumi config set environment ${staging} --stack staging`,
      );
    const head = await gitops.commit("Staging");
    const request = "14";
    await gitops.review(head, { request });
    await gitops.review(head, {
      request,
      stack: "staging",
      environment: staging,
    });
    const [production, fresh] = gitops.host.on(request).map(({ body }) => body);
    expect(gitops.host.on(request)).toHaveLength(2);
    expect(production).toContain("stack `devid-gitops/test`");
    expect(fresh).toContain("`Staging (");
    expect(fresh).toContain("stack `devid-gitops/staging`");
  });

  /** Every object of the second environment, which no program declares. */
  const allowStaging = async () =>
    gitops.allow([
      staging,
      ...(await gitops.workspace.list("api-keys"))
        .filter(({ environment }) => environment === staging)
        .map(({ id }) => String(id)),
    ]);

  situation("The first deployment takes over rules made by hand", () => {
    const [, fresh] = gitops.host.on("14").map(({ body }) => body);
    expect(fresh).toContain("made-by-hand");
    expect(fresh).toContain("✗ `plan-differs` holds");
  });

  situation("There are no past events of the environment", async () => {
    const secretKey = await made("/api-keys", "token", {
      name: "staging",
      type: "secret",
      environment: staging,
    });
    await allowStaging();
    const head = await gitops.push("office", withOffice);
    const request = "15";
    const { failed } = await gitops.review(head, { request, secretKey });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("`newly-denied>5%` cannot be judged");
  });

  /** The workflow with more arguments for the review. When an argument is repeated, the last one counts. */
  const withArguments = (further: string) => ({
    ".github/workflows/rules-review.yml": (text: string) =>
      text.replace(/(?<=arguments: >-\n +)(?=--)/, `${further} `),
  });

  situation("There are fewer past events than it takes to judge", async () => {
    await gitops.push("hour", withArguments("--since 1h"), "office");
    const head = await gitops.git("rev-parse HEAD");
    const request = "15";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("`newly-denied>5%` cannot be judged");
  });

  situation(
    "A rule reads a header that past events do not contain",
    async () => {
      const request = "15";
      const reviewed = async (name: string, header: string) => {
        const head = await gitops.push(name, {
          "rules.yaml": (text) =>
            text.replace(
              "  - name: allow-our-shop",
              `  - name: ${name}\n    expression: "'${header}' in http.request.headers"\n    action: deny\n  - name: allow-our-shop`,
            ),
        });
        return (await gitops.review(head, { request })).failed;
      };
      expect(await reviewed("hints", "Sec-Ch-Ua")).toEqual(["Review"]);
      expect(comment(request)).toContain(
        "`newly-denied>5%` cannot be judged: `198 (99%) are undetermined, more than --max-undetermined 5%`",
      );
      // The example's file says that no client sends this one.
      expect(await reviewed("probes", "X-Shop-Probe")).toEqual([]);
      expect(comment(request)).toContain(
        "`newly-denied>5%` does not hold: `0 (0%)`",
      );
    },
  );

  situation("There are more past events than can be read in time", async () => {
    const now = Date.now();
    const older = (half: number) =>
      Array.from({ length: 10_000 }, (_, i) => ({
        event_id: `${half}${i}.older`.padStart(14, "0"),
        timestamp: now - 1_600 * MINUTE - i * 1_000,
        url: "https://shop.example/",
        origin: "https://shop.example",
        ip_address: "198.51.100.4",
        sdk: { platform: "js", version: "4.0.0" },
      }));
    for (const half of [1, 2])
      await gitops.workspace.control("/us/events", older(half));
    const head = await gitops.push(
      "sampled",
      withArguments("--since 3d --within 5s"),
      "office",
    );
    const request = "15";
    // 20,200 events need 202 calls, and there are 4 seconds for them.
    gitops.stack.set({ DEVID_EVENTS_REQUESTS_PER_SECOND: "40" });
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    gitops.stack.set({ DEVID_EVENTS_REQUESTS_PER_SECOND: "off" });
    expect(comment(request)).toContain("sample");
  });

  situation("A guard would refuse the change", async () => {
    const head = await gitops.push("few", {
      "rules.yaml": (text) =>
        text
          .replace(
            / {2}- name: block-crawlers[^]*(?= {2}- name: block-other)/,
            "",
          )
          .replace(/\ntests:[^]*/, ""),
    });
    const request = "16";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("refused");
    expect(existsSync(join(gitops.host.kept, `plan-test-${head}`))).toBe(false);
  });

  situation("The rule file has Windows line endings", async () => {
    const head = await gitops.push("windows", {
      "rules.yaml": (text) => text.replaceAll("\n", "\r\n"),
    });
    const request = "17";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    expect(comment(request)).toContain("no differences");
  });

  situation("The rule file has merge conflict markers", async () => {
    const head = await gitops.push("conflict", {
      "rules.yaml": (text) =>
        text.replace(
          "    action: allow\n",
          "<<<<<<< ours\n    action: allow\n=======\n    action: deny\n>>>>>>> theirs\n",
        ),
    });
    const request = "18";
    const { failed } = await gitops.review(head, { request });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toMatch(/merge conflict/i);
  });

  situation("The main branch has a file that is not valid", async () => {
    const good = await gitops.git("rev-parse origin/main");
    await gitops.push("typo", {
      "rules.yaml": (text) => text.replace("action: allow", "action: alow"),
    });
    await gitops.git("push -qf origin HEAD:main");
    const head = await gitops.push("mended", {
      "rules.yaml": (text) => text.replace("action: alow", "action: allow"),
    });
    const request = "19";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    expect(comment(request)).toContain("live");
    await gitops.git(`push -qf origin ${good}:main`);
  });

  situation("A pull request comes from a fork", async () => {
    const head = await gitops.git("rev-parse office");
    const request = "20";
    const { failed, output, summary } = await gitops.review(head, {
      request,
      managementKey: "",
      secretKey: "",
      token: READING_TOKEN,
    });
    expect(failed).toEqual(["Review", "Comment"]);
    expect(output).toMatch(/was answered 403/);
    expect(gitops.host.on(request)).toEqual([]);
    // The summary of the run has the review, the reason for the failure, and the results that need no key.
    expect(summary).toContain("A pull request from a fork is given no secrets");
    expect(summary).toContain("4 tests passed");
  });

  situation("A rule is added in the dashboard after the review", async () => {
    const head = await gitops.push(
      "cafe",
      withRule("block-cafe", "192.0.2.9/32"),
    );
    const request = "22";
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    const [first] = await rulesInForce();
    await addInDashboard("hot-fix", String(first?.environment));
    const merged = await gitops.merge("cafe", { request });
    const { failed, output } = await gitops.apply(head, merged, request);
    expect(failed).toEqual(["Apply"]);
    expect(output).toContain("hot-fix");
    expect(output).toContain("The way out: start the workflow");
    expect(await inForce()).toContain("hot-fix");
    expect(await inForce()).not.toContain("block-cafe");
    expect(await gitops.drift()).toMatchObject({ failed: ["Compare"] });
  });

  situation("A key is refused, or the service is not there", async () => {
    const head = await gitops.git("rev-parse office");
    const request = "21";
    // The previous merge was not applied, and this plan would delete the hot fix.
    await gitops.review(head, { request });
    expect(comment(request)).toContain("✗ `plan-differs` holds");
    expect(comment(request)).toContain("The plan deletes hot-fix");
    expect(comment(request)).toContain("The plan adds block-cafe");
    await gitops.git("switch -q office");
    const next = await gitops.commit("Next");
    const { failed } = await gitops.review(next, {
      request,
      managementKey: "wrong",
    });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain(next.slice(0, 10));
    expect(comment(request)).toContain("this commit was not reviewed");
    expect(comment(request)).toContain("The management key is not known here");
    // The comment has the results that need no key.
    expect(comment(request)).toContain("1 change: 1 added");
    expect(comment(request)).toContain("4 tests passed");
  });

  situation("A policy refuses the deployment", async () => {
    const head = await gitops.push("hook", gitops.program.webhook);
    const request = "27";
    const { failed } = await gitops.review(head, {
      request,
      hasPolicies: true,
    });
    expect(failed).toEqual(["Review"]);
    expect(comment(request)).toContain("policies refuse it: webhook-https-and");
    expect(comment(request)).toMatch(
      /\| `webhook-https-and-verified` \| mandatory \| `Webhook hook` \|/,
    );
  });

  situation("A pull request is merged whose review failed", async () => {
    const head = await gitops.git("rev-parse office");
    const request = "21";
    const merged = await gitops.merge("office", { request });
    const { failed, output } = await gitops.apply(head, merged, request);
    expect(failed).toEqual(["Take the plan of the pull request"]);
    expect(output).toContain("The way out: start the workflow");
    expect(gitops.host.on(request)[1]?.body).toContain(
      "Recover filtering rules",
    );
    expect(await inForce()).not.toContain("block-office");
  });

  situation("The main branch is recovered", async () => {
    const main = await gitops.git("rev-parse origin/main");
    expect(await gitops.recover("plan", main)).toMatchObject({ failed: [] });
    const [said] = gitops.host.on(main);
    expect(said?.body).toMatch(
      /^<!-- devid-recovery:rules.yaml:stack=test -->/,
    );
    expect(said?.body).toContain("hot-fix");
    expect(said?.body).toContain("block-office");
    expect(await inForce()).toContain("hot-fix");
    expect(await gitops.recover("apply", main)).toMatchObject({ failed: [] });
    expect(await inForce()).toEqual([
      "block-office",
      "block-crawlers",
      "block-takeovers",
      "block-cafe",
      "allow-our-shop",
      "block-other-sites",
    ]);
  });

  situation("A recovery is started on an older commit", async () => {
    const older = await gitops.git("rev-parse origin/main~");
    const { failed, output } = await gitops.recover("plan", older);
    expect(failed).toEqual(["Review"]);
    expect(output).toContain("main has moved on");
  });

  /** The dashboard's rule in the form of a rule file. */
  const withHotFix =
    (name: string): Edit =>
    (text) =>
      text.replace(
        "  - name: block-other-sites\n",
        `  - name: ${name}
    expression: sdk.platform.is_android
    action: deny
$&`,
      );

  situation("The rule of the dashboard is taken into the file", async () => {
    const head = await gitops.push("bar", {
      ...withRule("block-bar", "192.0.2.10/32"),
      ...gitops.program.webhook,
    });
    expect(await gitops.review(head, { request: "25" })).toMatchObject({
      failed: [],
    });
    const [first] = await rulesInForce();
    await addInDashboard("second-fix", String(first?.environment));
    const merged = await gitops.merge("bar", { request: "25" });
    const refused = await gitops.apply(head, merged, "25");
    expect(refused.failed).toEqual(["Apply"]);
    // The webhook was created, but the rules were not sent.
    const done = gitops.host.on("25")[1]?.body;
    expect(done).toContain("was applied in part");
    expect(done).toContain("| `Webhook hook` | created | done |");
    expect(done).toContain("| `FilteringRuleSet rules` | update | failed |");
    expect(done).toMatch(/^\+ .*second-fix deny {2}added/m);
    expect(done).toContain("The way out");

    // The rule is taken in the same pull request as another rule, without a refresh.
    const taken = await gitops.push("take", {
      "rules.yaml": (text) =>
        withRule("block-pub", "192.0.2.11/32")["rules.yaml"](
          withHotFix("second-fix")(text),
        ),
    });
    const request = "26";
    expect(await gitops.review(taken, { request })).toMatchObject({
      failed: [],
    });
    expect(comment(request)).toContain("The plan adds block-bar");
    const next = await gitops.merge("take", { request });
    expect(await gitops.apply(taken, next, request)).toMatchObject({
      failed: [],
    });
    const [, said] = gitops.host.on(request).map(({ body }) => body);
    expect(said).toContain("was applied\n");
    expect(said).toMatch(/Rules in force: `sha256:[0-9a-f]{64}`/);
    expect(said).toContain(next);
    expect(await inForce()).toEqual([
      "block-office",
      "block-crawlers",
      "block-takeovers",
      "block-cafe",
      "block-bar",
      "block-pub",
      "allow-our-shop",
      "second-fix",
      "block-other-sites",
    ]);
    expect(await gitops.drift()).toMatchObject({ failed: [] });
  });

  situation("The main branch moves under an open pull request", async () => {
    const request = "28";
    const head = await gitops.push(
      "late",
      withRule("block-late", "192.0.2.20/32"),
    );
    expect(await gitops.review(head, { request })).toMatchObject({
      failed: [],
    });
    await gitops.allow([]);
    const main = await gitops.git("rev-parse origin/main");
    const reviewed = comment(request);
    gitops.host.forks.add("27");
    const { failed, output } = await gitops.startReviews(main);
    expect(failed).toEqual([]);
    expect(output).toContain("27 comes from a fork");
    expect(gitops.host.reviewedAgain).toContain(request);
    expect(gitops.host.reviewedAgain).not.toContain("27");
    const own = gitops.host.on(request)[0];
    if (own) own.body = `${reviewed.split("\n")[0]}\n> **Outdated:** so it was`;
    expect(await gitops.reviewAgain(head, request)).toMatchObject({
      failed: [],
    });
    expect(timeless(comment(request))).toBe(timeless(reviewed));
    // Somebody starts the workflow by hand for a fork.
    expect(await gitops.reviewAgain(head, request, "fork/rules")).toMatchObject(
      {
        failed: ["Refuse a fork"],
      },
    );
  });

  situation(
    "The change in the dashboard is overwritten by a recovery",
    async () => {
      const [first] = await rulesInForce();
      await addInDashboard("third-fix", String(first?.environment));
      const main = await gitops.git("rev-parse origin/main");
      // Neither the program nor the stack's state has the rule.
      expect(await gitops.recover("plan", main)).toMatchObject({ failed: [] });
      const said = gitops.host.on(main).at(-1)?.body;
      expect(said).toContain("third-fix");
      expect(await gitops.recover("apply", main)).toMatchObject({ failed: [] });
      expect(await inForce()).not.toContain("third-fix");
      expect(await gitops.drift()).toMatchObject({ failed: [] });
    },
  );

  situation("Two pull requests are merged one after the other", async () => {
    const one = await gitops.push("one", withRule("block-one", "192.0.2.1/32"));
    const two = await gitops.push(
      "two",
      withRule("block-two", "192.0.2.2/32", "block-other-sites"),
    );
    const review = (commit: string, request: string) =>
      gitops.gitlab("review", commit, { isMergeRequest: true, request });
    expect(await review(one, "23")).toMatchObject({ failed: [] });
    expect(await review(two, "24")).toMatchObject({ failed: [] });
    expect(comment("24")).toContain("block-two");

    const isSquashed = true;
    const first = await gitops.merge("one", { request: "23", isSquashed });
    const second = await gitops.merge("two", { request: "24" });
    expect(await gitops.gitlab("apply", first)).toMatchObject({ failed: [] });
    expect(await inForce()).toContain("block-one");
    const { failed, output } = await gitops.gitlab("apply", second);
    expect(failed).toEqual(["apply"]);
    expect(output).toContain("The way out: start the job `recover`");
    expect(gitops.host.on("24")[1]?.body).toContain("was not applied");
    expect(await inForce()).not.toContain("block-two");
  });

  situation("The main branch is recovered on GitLab", async () => {
    const main = await gitops.git("rev-parse origin/main");
    expect(await gitops.gitlab("recover", main)).toMatchObject({ failed: [] });
    expect(gitops.host.on(main)[0]?.body).toContain("block-two");
    const applied = await gitops.gitlab("recover-apply", main);
    expect(applied).toMatchObject({ failed: [] });
    expect(await inForce()).toContain("block-two");
    expect(await gitops.drift()).toMatchObject({ failed: [] });
  });

  situation("Somebody edits a rule in the dashboard", async () => {
    const [rule] = await rulesInForce();
    const edit = (status: string) =>
      gitops.workspace.call("POST", `/filtering-rules/${String(rule?.id)}`, {
        status,
      });
    const main = await gitops.git("rev-parse origin/main");
    const issues = () =>
      gitops.host.issues.map(({ author, isOpen }) => [author.login, isOpen]);
    gitops.host.issues.length = 0;
    await edit("disabled");
    expect(await gitops.drift()).toMatchObject({ failed: ["Compare"] });
    expect(await gitops.drift()).toMatchObject({ failed: ["Compare"] });
    expect(await gitops.gitlab("drift", main)).toMatchObject({
      failed: ["drift"],
    });
    expect(issues()).toEqual([
      ["github-actions[bot]", true],
      ["project_1_bot", true],
    ]);
    for (const { title, body } of gitops.host.issues) {
      expect(title).toBe("Drift of test (rules.yaml)");
      expect(body).toContain(`\`${String(rule?.name)}\``);
      expect(body).toContain("disabled");
    }
    await edit("enabled");
    expect(await gitops.drift()).toMatchObject({ failed: [] });
    expect(await gitops.gitlab("drift", main)).toMatchObject({ failed: [] });
    expect(issues()).toEqual([
      ["github-actions[bot]", false],
      ["project_1_bot", false],
    ]);
  });

  it("docs/review.md has these situations", () => {
    const docs = readFileSync(
      resolve(__dirname, "../../docs/review.md"),
      "utf8",
    );
    const [, section = ""] = docs.split("\n## Situations\n");
    const rows = section
      .split("\n## ")[0]
      ?.split("\n")
      .filter((line) => /^\| (?!-)/.test(line))
      .map((line) => line.split("|")[1]?.trim());
    expect(rows?.slice(1)).toEqual(situations);
    expect(situations).toEqual(expect.arrayContaining([...DEPENDS_ON_FORM]));
  });
}
