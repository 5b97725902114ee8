import { join } from "node:path";
import { createClient, optionsFromEnvironment } from "@devid/sdk";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { reviewSubject } from "../../../../cli/src/sources/review/review-subject";
import {
  formatReviewMarkdown,
  isAbsent,
  parseFailCondition,
  reviewRules,
  type Review,
} from "../../../../review/src";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { FORMS, type Form } from "../../../helpers/program-form";
import { UNTHROTTLED } from "../../../helpers/unthrottled";
import { recordedPreview, type Recorded } from "./recorded-preview";
import { ReviewRepository } from "./review-repository";
import { rule } from "../../../rules/diff/rule";

// Real previews, in both forms, of a program with a rule set in each of three regions and in three
// environments of one region. Each region has its own local service.

const us = openForTests(new LocalWorkspace());
const eu = openForTests(new LocalWorkspace());
const ap = openForTests(new LocalWorkspace());

const rules = (...names: string[]) =>
  names.map((name) => ({
    name,
    expression: `sdk.version == "/${name}"`,
    action: "deny",
    deny_with: "Forbidden",
  }));

const FILE = "rules.json";
let repository: ReviewRepository;
let environments: Record<"staging" | "test", string>;

/** Past events of an environment. The rule with the given name denies the first events. */
const events = (
  environment_id: string,
  number: number,
  denied: number,
  by: string,
) =>
  Array.from({ length: number }, (_, i) => ({
    timestamp: Date.now() - (i + 1) * 60_000,
    environment_id,
    sdk: { platform: "js", version: i < denied ? `/${by}` : "4.0.0" },
  }));

beforeAll(async () => {
  environments = {
    staging: await us.newEnvironment("Staging"),
    test: await us.newEnvironment("Test"),
  };
  const { environment } = us.service.workspaces.us;
  await us.control("/us/events", [
    ...events(environment, 20, 1, "e"),
    ...events(environments.staging, 10, 5, "e"),
    ...events(environments.test, 10, 0, "e"),
  ]);
  await eu.control(
    "/eu/events",
    events(eu.service.workspaces.eu.environment, 50, 10, "e"),
  );
  // The rule that somebody created by hand in ap.
  const byHand = rule("byhand", "sdk.platform.is_ios");
  await ap.enforce([byHand], ap.service.workspaces.ap.environment, "ap");
  repository = new ReviewRepository();
  repository.file(FILE, { rules: rules("e") });
  repository.commit();
});

afterAll(() => repository?.close());

const KEYS = [
  "DEVID_MANAGEMENT_KEY_EU",
  "DEVID_SECRET_KEY_EU",
  "DEVID_MANAGEMENT_KEY_AP",
  "DEVID_SECRET_KEY_AP",
] as const;

/** The review of a recorded preview, with the keys of all three regions. */
async function review(
  form: Form,
  name: Recorded,
  {
    proposed = ["e"],
    without = [],
    failOn = [],
    isOtherWorkspace = false,
    ...more
  }: {
    readonly proposed?: readonly string[];
    readonly without?: readonly (typeof KEYS)[number][];
    readonly failOn?: readonly string[];
    readonly resource?: readonly string[];
    readonly impact?: boolean;
    /** Whether the state belongs to another workspace than the key for us. */
    readonly isOtherWorkspace?: boolean;
  } = {},
): Promise<Review> {
  const own = { us: us.service, eu: eu.service, ap: ap.service };
  vi.stubEnv("DEVID_ENDPOINT", us.url);
  vi.stubEnv("DEVID_MANAGEMENT_KEY", own.us.workspaces.us.managementKey);
  vi.stubEnv("DEVID_SECRET_KEY", own.us.workspaces.us.secretKey);
  for (const region of ["eu", "ap"] as const) {
    const { managementKey, secretKey } = own[region].workspaces[region];
    vi.stubEnv(`DEVID_MANAGEMENT_KEY_${region.toUpperCase()}`, managementKey);
    vi.stubEnv(`DEVID_SECRET_KEY_${region.toUpperCase()}`, secretKey);
  }
  for (const [setting, value] of Object.entries(UNTHROTTLED))
    vi.stubEnv(setting, value);
  for (const key of without) vi.stubEnv(key, undefined);
  repository.file(FILE, { rules: rules(...proposed) });
  const text = recordedPreview(name, form, {
    ...(isOtherWorkspace && {
      '"workspace": "ae_us"': '"workspace": "ae_other"',
    }),
    "https://us.service.invalid": us.url,
    "https://eu.service.invalid": eu.url,
    "https://ap.service.invalid": ap.url,
    ae_staging: environments.staging,
    ae_test: environments.test,
    ae_us: own.us.workspaces.us.environment,
    ae_eu: own.eu.workspaces.eu.environment,
    ae_ap: own.ap.workspaces.ap.environment,
  });
  const subject = await reviewSubject(
    {
      path: join(repository.path, FILE),
      plan: repository.file("preview.json", text),
      base: "main",
      impact: true,
      since: new Date(Date.now() - 3 * 3_600_000),
      minEvents: 1,
      maxUndetermined: 5,
      assumeNotSent: [],
      ...more,
    },
    createClient(optionsFromEnvironment([])),
    failOn.map(parseFailCondition),
  );
  return reviewRules(subject);
}

function ruleSetsOf({ plan }: Review) {
  if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
  return Object.fromEntries(
    plan.ruleSets.map((ruleSet) => [ruleSet.name, ruleSet]),
  );
}

it("a random ID that begins as a placeholder stays as it is", () => {
  const values = { ae_test: "ae_usually", ae_us: "ae_1" };
  const text = recordedPreview("first", "dynamic", values);
  expect(text).toContain('"environment": "ae_usually"');
});

describe.each(FORMS)("a plan with several rule sets, %s", (form) => {
  it("compares each rule set with the rules in force in its own region and environment", async () => {
    const found = ruleSetsOf(await review(form, "first"));
    const rows = Object.entries(found).map(([name, { environment, diff }]) => [
      name,
      environment?.replace(/ae_\w+/, "ID"),
      isAbsent(diff)
        ? diff.absent
        : diff.changes.map(({ kind, rule }) => `${kind} ${rule.name}`),
    ]);
    expect(rows.sort()).toEqual([
      ["rules", "Default (ID)", ["added a"]],
      ["rules-ap", "Default (ID) in region ap", ["removed byhand", "added e"]],
      ["rules-eu", "Default (ID) in region eu", ["added e"]],
      ["rules-staging", "Staging (ID)", ["added e"]],
      ["rules-test", "Test (ID)", ["added e"]],
    ]);
  });

  it("judges each rule set by the past events of its own region and environment", async () => {
    const conditions = ["newly-denied>40%", "newly-denied>60%"];
    const made = await review(form, "first", { failOn: conditions });
    // Four rule sets have the rules of the file, and the fifth has other rules.
    const { rules: other, ...four } = ruleSetsOf(made);
    expect(other?.isReviewed).toBe(false);
    expect(Object.values(four).every(({ isReviewed }) => isReviewed)).toBe(
      true,
    );
    const counts = Object.entries(ruleSetsOf(made)).map(
      ([name, { impact }]) => [
        name,
        impact === undefined || isAbsent(impact)
          ? impact
          : [impact.events, impact.total.newlyDenied.value],
      ],
    );
    const main = made.impact;
    expect(isAbsent(main) ? main : main.events).toBe(10);
    expect(Object.fromEntries(counts)).toMatchObject({
      rules: [20, 0],
      "rules-eu": [50, 10],
      "rules-ap": [0, 0],
    });
    expect(made.conditions).toMatchObject([
      {
        outcome: "holds",
        found: expect.stringMatching(
          /^rules-staging of Staging .*: 5 \(50%\)$/,
        ) as string,
      },
      {
        outcome: "cannot be judged",
        found: expect.stringMatching(
          /^rules-ap of Default .* in region ap: 0 past events, fewer than/,
        ) as string,
      },
    ]);
  });

  it("has a section for each rule set", async () => {
    const made = formatReviewMarkdown(await review(form, "first"));
    for (const place of ["eu.* in region eu", "ap", "staging", "test"])
      expect(made).toMatch(new RegExp(`Past events of .*rules-${place}`));
  });

  it("reviews only the rule sets that --resource names", async () => {
    const resource = ["rules-eu", "rules-test"];
    const made = await review(form, "first", { resource });
    const found = Object.values(ruleSetsOf(made));
    expect(
      found.filter(({ isReviewed }) => isReviewed).map(({ name }) => name),
    ).toEqual(expect.arrayContaining(resource));
    expect(
      found
        .filter(({ impact }) => impact !== undefined)
        .map(({ name }) => name),
    ).toEqual(["rules-eu"]);
  });

  it("cannot judge a region without its keys", async () => {
    const failOn = ["newly-denied>60%"];
    const made = await review(form, "first", {
      without: KEYS.slice(0, 2),
      failOn,
    });
    const inEu = ruleSetsOf(made)["rules-eu"];
    const why = {
      absent: expect.stringContaining("(DEVID_MANAGEMENT_KEY_EU)") as string,
    };
    expect(inEu).toMatchObject({ diff: why, impact: why });
    expect(made.conditions[0]).toMatchObject({
      outcome: "cannot be judged",
      found: expect.stringContaining(
        "rules-eu of an environment in region eu: cannot be judged",
      ) as string,
    });
    const noEvents = await review(form, "first", {
      without: ["DEVID_SECRET_KEY_EU"],
      failOn,
    });
    expect(ruleSetsOf(noEvents)["rules-eu"]).toMatchObject({
      diff: { changes: [{ kind: "added" }] },
      impact: {
        absent: expect.stringContaining("DEVID_SECRET_KEY_EU") as string,
      },
    });
    expect(noEvents.conditions[0]?.outcome).toBe("cannot be judged");
    // Without a key, the plan is compared with the stack's state of the region.
    const update = await review(form, "touched", {
      proposed: ["e", "f"],
      without: KEYS.slice(0, 1),
      impact: false,
    });
    expect(ruleSetsOf(update)["rules-eu"]).toMatchObject({
      inForceFrom: "state",
      diff: { changes: [{ kind: "added", rule: { name: "f" } }] },
    });
  });

  it("differs from the file where options of a rule set are loosened", async () => {
    const { plan } = await review(form, "touched", { impact: false });
    if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
    for (const loosened of [
      /ignoreChanges of rules .*, from not set to \["rules"\]/,
      /retainOnDelete of rules .*, from not set to true/,
      /protect of rules .*, from true to not set/,
      /provider of rules-test .*, from "default" to "usp"/,
    ])
      expect(plan.differences.join("\n")).toMatch(loosened);
  });

  it("uses the state instead of the rules in force when the key is for another workspace", async () => {
    const asked = { proposed: ["e", "f"], impact: false };
    const made = await review(form, "touched", asked);
    expect(ruleSetsOf(made)["rules-staging"]).toMatchObject({
      inForceFrom: "service",
      diff: { changes: [{ rule: { name: "e" } }, { rule: { name: "f" } }] },
    });
    const other = await review(form, "touched", {
      ...asked,
      isOtherWorkspace: true,
    });
    expect(ruleSetsOf(other)["rules-staging"]).toMatchObject({
      inForceFrom: "state",
      diff: { changes: [{ rule: { name: "f" } }] },
    });
  });
});
