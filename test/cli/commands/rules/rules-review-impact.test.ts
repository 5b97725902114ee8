import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Impact, Usage } from "../../../../review/src/replay-subpath";
import type { Review } from "../../../../review/src";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { ReviewRepository } from "../../sources/review/review-repository";
import { CURL } from "../../cli-folder";
import { failed } from "../../devid-process";
import { allow, rule } from "../../../rules/diff/rule";

const SHOP = allow(
  "shop",
  "http.request.headers['Origin'][0] == 'https://shop.example'",
);
const OTHERS = rule("others", "true");

let repository: ReviewRepository;
let rules: string;
let staging: string;
let env: Record<string, string>;

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  repository = new ReviewRepository();
  rules = repository.file("rules.json", { rules: [SHOP, OTHERS] });
  repository.commit();
  repository.file("rules.json", { rules: [CURL, SHOP, OTHERS] });

  const { us } = workspace.service.workspaces;
  ({ env } = workspace);
  staging = await workspace.newEnvironment("Staging");
  await workspace.control("/us/events", [
    ...events(40, { environment_id: us.environment }),
    ...events(10, { environment_id: staging, user_agent: "curl/8.5.0" }),
  ]);
});

afterAll(() => repository?.close());

/** Events, one every ten minutes. Every tenth event is from curl and has a linked ID that holds a key. */
function events(number: number, more: object): unknown[] {
  const now = Date.now();
  return Array.from({ length: number }, (_, i) => ({
    timestamp: now - (i + 1) * 10 * 60_000,
    origin: "https://shop.example",
    user_agent: i % 10 === 0 ? "curl/8.5.0" : "Mozilla/5.0",
    linked_id: `of ${workspace.service.workspaces.us.secretKey}`,
    sdk: { platform: "js", version: "4.0.0" },
    ...more,
  }));
}

/** Writes events for a warehouse; returns the flags that name it. */
function inWarehouse(stored: readonly unknown[]): string[] {
  const path = join(dirname(rules), "events.ndjson");
  writeFileSync(path, stored.map((event) => JSON.stringify(event)).join("\n"));
  return ["--events", `ndjson:${path}`];
}

const json = async (args: readonly string[], other = env) => {
  const { stdout } = await repository.review(
    [rules, ...args, "--min-events", "1", "--json"],
    other,
  );
  return JSON.parse(stdout) as Review;
};

describe("devid rules review with past events", () => {
  it("counts the effect of the change, compared with its base", async () => {
    const { impact, verdict } = await json(["--base", "main"]);
    const { events, total, newlyDenied } = impact as Impact;
    expect(events).toBe(40);
    expect(total).toMatchObject({
      newlyDenied: { value: 4 },
      unchanged: { value: 36 },
    });
    expect(newlyDenied.top.userAgent).toEqual([
      { value: "curl/8.5.0", events: 4 },
    ]);
    expect(verdict.reasons).toEqual([
      {
        code: "much-newly-denied",
        risk: "high",
        text: "10% of past events newly denied",
      },
    ]);
  });

  it("counts on request what each rule decided, also in a warehouse", async () => {
    const args = ["--base", "main", "--no-impact"];
    const decided = async (more: readonly string[], other = env) => {
      const { usage } = await json([...args, ...more], other);
      return (usage as Usage | undefined)?.rules.map((rule) => [
        ...[rule.name, rule.decided, rule.verdict],
      ]);
    };
    expect(await decided([])).toBe(undefined);
    const all = [
      ["curl", 4, "decides"],
      ["shop", 36, "decides"],
      ["others", 0, "overruled"],
    ];
    expect(await decided(["--usage"])).toEqual(all);
    const warehouse = ["--usage", ...inWarehouse(events(40, {}))];
    expect(await decided(warehouse, {})).toEqual(all);
    const { usage } = await json([...args, "--usage"], {});
    expect(usage).toMatchObject({
      absent: "no secret API key is configured for region us",
    });
    expect(
      await failed(
        repository.review([rules, ...args, "--usage", "--sample", "100"], env),
      ),
    ).toContain("--usage counts all events");
  });

  it("reads events once for impact and usage", async () => {
    const searches = async (args: readonly string[]) => {
      const before = (await workspace.requests()).length;
      const review = await json(["--base", "main", ...args]);
      const log = (await workspace.requests()).slice(before);
      return { review, reads: log.filter((one) => one.includes("/v4/events")) };
    };
    const alone = await searches([]);
    const both = await searches(["--usage"]);
    expect(alone.reads).not.toEqual([]);
    expect(both.reads).toHaveLength(alone.reads.length);
    expect((both.review.impact as Impact).total).toEqual(
      (alone.review.impact as Impact).total,
    );
    const decided = (review: Review) =>
      (review.usage as Usage).rules.map((rule) => rule.decided);
    expect(decided(both.review)).toEqual([4, 36, 0]);
    const environment_id = workspace.service.workspaces.us.environment;
    const stored = inWarehouse(events(40, { environment_id }));
    const { review } = await searches(["--usage", ...stored]);
    expect((review.impact as Impact).total.newlyDenied).toEqual({ value: 4 });
    expect(decided(review)).toEqual([4, 36, 0]);
  });

  it("does not pass a gate while some events of a warehouse cannot be read", async () => {
    const wrong = { user_agent: "curl/8", timestamp: "2026-06-01T00:00:00Z" };
    const mixed = events(400, { user_agent: "Mozilla/5.0" }).map((event, n) =>
      n % 2 === 0 ? event : { ...(event as object), ...wrong },
    );
    const args = [rules, "--base", "main", ...inWarehouse(mixed)];
    const { code, stdout } = await repository.review(
      [...args, "--fail-on", "newly-denied>1%"],
      {},
    );
    expect(code).toBe(2);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain("200 rows of the past events could not be read");
    expect(said).toContain("events.ndjson:2");
  });

  it("reads another environment, and as far back as --since says", async () => {
    const args = ["--environment", "Staging", "--since", "25m"];
    const { impact } = await json(["--base", "main", ...args]);
    expect((impact as Impact).total.newlyDenied).toEqual({ value: 2 });
  });

  it("compares with live rules, and decides by the counts", async () => {
    const condition = ["--min-events", "1", "--fail-on", "newly-denied>9.9%"];
    const { code, stdout } = await repository.review(
      [rules, "--base", "live", ...condition, "--fail-on", "newly-denied>10%"],
      env,
    );
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^Review of rules\.json against live \(Default, ae_/,
    );
    expect(stdout).toContain(
      "✗ newly-denied>9.9%: 4 (10%)\n✓ newly-denied>10%: 4 (10%)\n",
    );
  });

  const HINTS = rule("hints", "http.request.headers['Sec-Ch-Ua'] == nil");

  it("cannot judge a condition when past events lack a header of the rule, unless an option says what to assume", async () => {
    const file = repository.file("hints.json", {
      rules: [HINTS, SHOP, OTHERS],
    });
    const gate = async (...args: readonly string[]) => {
      const condition = "newly-denied>1%";
      const { code, stdout } = await repository.review(
        [file, "--base", "main:rules.json", "--min-events", "1"].concat(
          ["--fail-on", condition],
          args,
        ),
        env,
      );
      const [, line] =
        new RegExp(`${condition}:? (.*(?:\\n  .*)?)`).exec(stdout) ?? [];
      return `${code}: ${line?.replace(/\s+/g, " ")}`;
    };
    expect(await gate()).toBe(
      "2: cannot be judged: 40 (100%) are undetermined, more than --max-undetermined 5%",
    );
    expect(await gate("--max-undetermined", "100")).toBe(
      "2: 0 (0%), up to 40 (100%) with undetermined events",
    );
    expect(await gate("--assume-not-sent", "sec-ch-ua")).toBe("2: 40 (100%)");
  });

  it("accepts the file's list of headers that no client sends only if the base has them, too", async () => {
    const sent = rule("probe", "'X-Probe' in http.request.headers");
    const more = { assume_not_sent: ["x-probe"] };
    const proposed = repository.file("probe.json", {
      rules: [sent, SHOP, OTHERS],
      ...more,
    });
    const before = repository.file("before.json", {
      rules: [SHOP, OTHERS],
      ...more,
    });
    const reviewed = async (base: string) => {
      const args = [proposed, "--base", base, "--min-events", "1", "--json"];
      const { stdout } = await repository.review(
        [...args, "--fail-on", "newly-denied>1%"],
        env,
      );
      const review = JSON.parse(stdout) as Review;
      const { assumedNotSent } = review.impact as Impact;
      return {
        assumedNotSent,
        outcome: review.conditions[0]?.outcome,
        reasons: review.verdict.reasons.map(({ code }) => code),
      };
    };
    const known = { assumedNotSent: ["X-Probe"], outcome: "does not hold" };
    expect(await reviewed(before)).toMatchObject({ ...known, reasons: [] });
    expect(await reviewed("live")).toMatchObject(known);
    expect(await reviewed("main:rules.json")).toEqual({
      assumedNotSent: [],
      outcome: "cannot be judged",
      reasons: ["much-newly-denied", "much-undetermined", "newly-assumed"],
    });
  });

  it("says why it has no events without a secret key, and fails a condition that it cannot judge", async () => {
    const { DEVID_SECRET_KEY, ...keyless } = env;
    const args = [rules, "--base", "main", "--fail-on", "newly-denied>50%"];
    const { code, stdout } = await repository.review(args, keyless);
    expect(code).toBe(2);
    expect(stdout).toContain(
      "Not looked at: no secret API key is configured for region us\n",
    );
  });

  it("says why it has no events when the service does not answer", async () => {
    const gone = { ...env, DEVID_EVENTS_URL: "http://127.0.0.1:9" };
    const { impact } = await json(["--base", "main"], gone);
    expect(impact).toEqual({
      absent: expect.stringContaining(
        "http://127.0.0.1:9 could not be reached",
      ) as string,
    });
  });

  it("reads no events for an invalid file", async () => {
    const file = repository.file("invalid.json", {
      rules: [{ ...CURL, expression: "nothing" }],
    });
    const mark = await workspace.mark();
    const { code, stdout } = await repository.review(
      [file, "--base", "main"],
      env,
    );
    expect(code).toBe(2);
    expect(stdout).toContain("Not looked at: the rule file is not valid\n");
    // The only request looks up the name of the environment.
    expect(await workspace.requestsSince(mark)).toMatchObject([
      { path: "/management/environments" },
    ]);
  });

  it.each(["text", "markdown"])(
    "shows no key as %s, in any place",
    async (format) => {
      const { managementKey, secretKey } = workspace.service.workspaces.us;
      const file = repository.file("keys.json", {
        rules: [
          { ...CURL, name: `of ${managementKey}` },
          { ...SHOP, expression: `sdk.version == '${secretKey}'` },
          OTHERS,
        ],
      });
      const { code, stdout } = await repository.review(
        [file, "--base", "main", "--format", format],
        env,
      );
      expect(code).toBe(2);
      expect(stdout).toContain("of [redacted]");
      expect(stdout).not.toContain(managementKey);
      expect(stdout).not.toContain(secretKey);
    },
  );
});
