import { expect } from "vitest";
import {
  addInDashboard,
  comment,
  type Edit,
  gitops,
  inForce,
  rulesInForce,
  situation,
  timeless,
  withRule,
} from "./gitops-story";

/** The situations after a review: merges, deployments, recoveries and drift. */
export function deploymentSituations(): void {
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
      failed: ["Review"],
    });
    expect(comment(request)).toContain("✗ `plan-differs` holds");
    expect(comment(request)).toContain("The plan adds block-bar");
    const next = await gitops.merge("take", { request });
    expect(await gitops.recover("plan", next)).toMatchObject({ failed: [] });
    expect(await gitops.recover("apply", next)).toMatchObject({ failed: [] });
    const said = gitops.host.on(next).at(-1)?.body;
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
}
