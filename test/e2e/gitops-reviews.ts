import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { AUTHORS, READING_TOKEN } from "../helpers/gitops-repository";
import { expectGolden } from "../helpers/golden";
import {
  addInDashboard,
  comment,
  gitops,
  inForce,
  made,
  makeStaging,
  MINUTE,
  situation,
  staging,
  timeless,
  withOffice,
  withRule,
  withTakeoverRule,
} from "./gitops-story";

/** The situations in which a pull request is reviewed, and the first merge. */
export function reviewSituations(): void {
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
    await makeStaging();
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
}
