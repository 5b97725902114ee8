import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { createClient, optionsFromEnvironment } from "@devid/sdk";
import type { ReviewRequest } from "../../../../cli/src/sources/review/review-flags";
import { reviewSubject } from "../../../../cli/src/sources/review/review-subject";
import { rulesDigest } from "../../../../rules/src";
import {
  isAbsent,
  reviewRules,
  type PlanSubject,
  type ReviewSubject,
} from "../../../../review/src";
import type { Impact } from "../../../../review/src/replay-subpath";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { eachInBothForms } from "../../../helpers/program-form";
import { BROWSERS, CRAWLERS, CURL, PHONES } from "../../cli-folder";
import {
  previewOutput,
  ruleSetArgs,
  UNKNOWN,
  type PreviewStep,
} from "./preview-output";
import { ReviewRepository } from "./review-repository";
import { rule } from "../../../rules/diff/rule";

const HOT = rule("hot fix", "sdk.platform.is_ios");

/** The first contents of each test's repository. */
let pushed: ReviewRepository;
let repository: ReviewRepository;
let file: string;
let main: string;
let staging: string;

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  main = workspace.service.workspaces.us.environment;
  staging = await workspace.newEnvironment("Staging");
  await workspace.enforce([CRAWLERS], main);
  await workspace.enforce([CRAWLERS, HOT], staging);
  const now = Date.now();
  const events = (environment_id: string, number: number) =>
    Array.from({ length: number }, (_, i) => ({
      timestamp: now - (i + 1) * 60_000,
      environment_id,
      user_agent: "Mozilla/5.0",
      sdk: { platform: "js", version: "4.0.0" },
    }));
  await workspace.control("/us/events", [
    ...events(main, 20),
    ...events(staging, 7),
  ]);
});

beforeAll(() => {
  pushed = new ReviewRepository();
  pushed.file("rules.json", { rules: [CRAWLERS] });
  pushed.commit();
  pushed.git("checkout", "--quiet", "-b", "change");
  pushed.file("rules.json", { rules: [CRAWLERS, CURL] });
  pushed.commit();
});

beforeEach(() => {
  repository = pushed.copy();
  file = join(repository.path, "rules.json");
  vi.stubEnv("GITHUB_BASE_REF", "");
});

afterEach(() => {
  repository.close();
});
afterAll(() => pushed?.close());

/**
 * The subject of a review with a preview, by default with both keys. It must be the same for a
 * program in each form.
 */
function subjectOf(
  preview: string | undefined,
  more: Partial<ReviewRequest> = {},
  without: Parameters<typeof subjectOfOne>[2] = [],
): Promise<ReviewSubject> {
  if (preview === undefined) return subjectOfOne(preview, more, without);
  return eachInBothForms(preview, (text) => subjectOfOne(text, more, without), [
    "start",
    "end",
    "periods",
    "periods",
  ]);
}

/** Like `subjectOf`, but only for the form of the given preview. */
function subjectOfOne(
  preview: string | undefined,
  more: Partial<ReviewRequest> = {},
  without: readonly ("DEVID_MANAGEMENT_KEY" | "DEVID_SECRET_KEY")[] = [],
): Promise<ReviewSubject> {
  for (const [name, value] of Object.entries(workspace.env))
    vi.stubEnv(name, value);
  for (const name of without) vi.stubEnv(name, undefined);
  return reviewSubject(
    {
      path: file,
      ...(preview !== undefined && {
        plan: repository.file("preview.json", preview),
      }),
      impact: true,
      since: new Date(Date.now() - 3_600_000),
      minEvents: 1,
      maxUndetermined: 5,
      assumeNotSent: [],
      ...more,
    },
    createClient(optionsFromEnvironment([])),
    [],
  );
}

function planOf({ plan }: ReviewSubject): PlanSubject {
  if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
  return plan;
}

/** The first rule set of a plan with these steps, in a review with both keys. */
const firstOf = async (...steps: PreviewStep[]) =>
  planOf(await subjectOf(previewOutput(...steps))).ruleSets[0] ??
  expect.fail("The plan has no rule set.");

/** What a review says of a plan with these steps that differs from the file. */
const differencesOf = async (...steps: PreviewStep[]) => {
  const { plan } = reviewRules(await subjectOf(previewOutput(...steps)));
  if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
  return plan.differences.join("\n");
};

const update = (more: Record<string, unknown> = {}) => ({
  op: "update",
  name: "rules",
  id: main,
  before: ruleSetArgs([CRAWLERS]),
  after: ruleSetArgs([CRAWLERS, CURL], more),
});
const ofStaging = (op = "update") => ({
  op,
  name: "staging",
  id: staging,
  before: ruleSetArgs([CRAWLERS], { environment: staging }),
  after: ruleSetArgs([CRAWLERS, PHONES], { environment: staging }),
});
const namesOf = (rules: PlanSubject["ruleSets"][number]["planned"]) =>
  isAbsent(rules) ? rules.absent : rules.map(({ name }) => name);

describe("the plan of a review", () => {
  it("has every rule set with its environment and its rules in force, and the other changes", async () => {
    const subject = await subjectOf(
      previewOutput(
        update(),
        ofStaging(),
        {
          op: "create",
          name: "hook",
          type: "pulumi-nodejs:dynamic/devid:Webhook",
          after: {},
        },
        {
          op: "same",
          name: "kept",
          type: "random:index:RandomId",
          before: {},
          after: {},
        },
        { op: "delete", name: "id", type: "random:index:RandomId", before: {} },
      ),
      { resource: ["rules"] },
    );
    const plan = planOf(subject);
    expect(plan).toMatchObject({
      stack: "shop/prod",
      onlyReviewed: true,
      ruleSets: [
        {
          name: "rules",
          operation: "update",
          environment: `Default (${main})`,
          isReviewed: true,
          inForceFrom: "service",
          inForce: [{ name: "crawlers" }],
          settings: [],
        },
        {
          name: "staging",
          environment: `Staging (${staging})`,
          isReviewed: false,
          inForceFrom: "service",
          inForce: [{ name: "crawlers" }, { name: "hot fix" }],
        },
      ],
      others: [
        { operation: "create", type: "Webhook", name: "hook" },
        { operation: "delete", type: "random:index:RandomId", name: "id" },
      ],
    });
    expect(plan.ruleSets.map(({ planned }) => namesOf(planned))).toEqual([
      ["crawlers", "curl"],
      ["crawlers", "phones"],
    ]);
    expect(subject).toMatchObject({
      environment: `Default (${main})`,
      scope: { stack: "shop/prod" },
      purpose: "change",
      commit: repository.git("rev-parse", "HEAD").trim(),
    });
  });

  it("requests the environments and each list of rules once", async () => {
    const mark = await workspace.mark();
    await subjectOfOne(
      previewOutput(update(), { ...update(), name: "again" }, ofStaging()),
      {
        resource: ["rules"],
        base: "live",
      },
    );
    const paths = (await workspace.requestsSince(mark)).map(({ path }) => path);
    expect(paths.sort()).toEqual([
      "/management/environments",
      "/management/filtering-rules",
      "/management/filtering-rules",
    ]);
  });

  it("reads the rules in force from the state when there is no management key", async () => {
    const subject = await subjectOf(previewOutput(ofStaging()), {}, [
      "DEVID_MANAGEMENT_KEY",
    ]);
    expect(planOf(subject).ruleSets).toMatchObject([
      {
        environment: staging,
        inForceFrom: "state",
        inForce: [{ name: "crawlers" }],
      },
    ]);
    expect((subject.impact as Impact).events).toBe(7);
    expect(subject.environment).toBe(staging);
  });

  it.each([
    ["maxDeletedPercent", 100, true],
    ["maxDeletedPercent", 10, false],
    ["takeOver", true, true],
    ["allowEmpty", true, true],
    ["onDrift", "overwrite", true],
    ["maxDeletedPercent", UNKNOWN, true, "[unknown]"],
    ["takeOver", "[secret]", true, "[secret]"],
    ["maxDeletedPercent", undefined, undefined],
  ])(
    "reports the change of a guard: %s to %j",
    async (name, after, isLoosened, shown = JSON.stringify(after)) => {
      const { settings } = await firstOf(update({ [name]: after }));
      expect(settings).toEqual(
        isLoosened === undefined
          ? []
          : [
              {
                name,
                before: JSON.stringify(ruleSetArgs([])[name]),
                after: shown,
                isLoosened,
              },
            ],
      );
    },
  );

  it.each(["[secret]", UNKNOWN])(
    "does not count a guard with a hidden value as unchanged: %s",
    async (value) => {
      const hidden = { takeOver: value, expectedInForce: value };
      const step = {
        ...update(hidden),
        before: ruleSetArgs([CRAWLERS], hidden),
      };
      expect((await firstOf(step)).settings).toMatchObject([
        { name: "takeOver", isLoosened: true },
        { name: "expectedInForce", isLoosened: true },
      ]);
      expect(await differencesOf(step)).toMatch(
        /^The plan may loosen takeOver of /m,
      );
      expect((await firstOf({ ...step, op: "same" })).settings).toEqual([]);
    },
  );

  it("reports a removed expectedInForce, but not one with another digest", async () => {
    const guarded = (more: Record<string, unknown>) => ({
      ...update(more),
      before: ruleSetArgs([CRAWLERS], { expectedInForce: "digest" }),
    });
    expect((await firstOf(guarded({}))).settings).toEqual([
      { name: "expectedInForce", before: '"digest"', isLoosened: true },
    ]);
    expect(await differencesOf(guarded({}))).toMatch(
      /^The plan loosens expectedInForce of .*, from "digest" to not set\.$/m,
    );
    const other = guarded({ expectedInForce: "another" });
    expect((await firstOf(other)).settings).toEqual([]);
  });

  it("reports a guard that a new rule set lacks, and one that becomes stricter", async () => {
    const { before, ...made } = { ...update({ takeOver: true }), op: "create" };
    expect(await firstOf(made)).toMatchObject({
      operation: "create",
      environment: `Default (${main})`,
      settings: [{ name: "takeOver", after: "true", isLoosened: true }],
    });
    const loose = ruleSetArgs([CRAWLERS], { onDrift: "overwrite" });
    const { settings } = await firstOf({ ...update(), before: loose });
    expect(settings).toMatchObject([{ name: "onDrift", isLoosened: false }]);
  });

  it("says whether the rules in force match expectedInForce", async () => {
    const inForce = [{ ...CRAWLERS, status: "enabled" }] as never;
    for (const [expectedInForce, isExpectedInForce] of [
      [rulesDigest(inForce), true],
      [rulesDigest([]), false],
      [undefined, undefined],
    ] as const) {
      const step = update({ expectedInForce });
      const set = await firstOf(step);
      expect(set.isExpectedInForce).toBe(isExpectedInForce);
      expect(set.settings).toEqual([]);
      expect(await differencesOf(step)).toMatch(
        isExpectedInForce === false
          ? /^Other rules are in force than the plan of[^\n]*$/
          : /^$/,
      );
    }
  });

  it("deletes the old rules when a rule set moves to another environment", async () => {
    const moved = {
      ...update({ environment: staging }),
      op: "replace",
    };
    const { ruleSets } = planOf(await subjectOf(previewOutput(moved)));
    expect(ruleSets).toMatchObject([
      {
        operation: "replace",
        environment: `Staging (${staging})`,
        isReviewed: true,
      },
      {
        operation: "delete",
        environment: `Default (${main})`,
        isReviewed: false,
        planned: [],
      },
    ]);
  });

  it("judges the rules that a named rule set leaves behind when it moves", async () => {
    const moved = { ...update({ environment: staging }), op: "replace" };
    const all = {
      ...moved,
      after: ruleSetArgs([CRAWLERS, HOT, CURL], { environment: staging }),
    };
    const subject = await subjectOf(previewOutput(all), {
      resource: ["rules"],
    });
    const { verdict } = reviewRules(subject);
    expect(verdict.getsThrough.answer).toBe("found");
  });

  it("has no rules in force and no events when it creates the environment", async () => {
    const made = {
      op: "create",
      name: "rules",
      after: ruleSetArgs([CRAWLERS, CURL], { environment: UNKNOWN }),
    };
    const subject = await subjectOf(previewOutput(made));
    expect(planOf(subject).ruleSets).toMatchObject([{ inForce: [] }]);
    expect(planOf(subject).ruleSets[0]?.environment).toBeUndefined();
    expect(subject.impact).toEqual({
      absent: "the deployment makes the environment, so it has no past events",
    });
  });

  it("reports rules that are unknown", async () => {
    const secret = { ...update(), after: { rules: "[secret]" } };
    const subject = await subjectOf(previewOutput(secret));
    const [set] = planOf(subject).ruleSets;
    expect(set && namesOf(set.planned)).toContain("has a secret at rules");
    expect(subject.impact).toEqual(set?.planned);
  });

  it.each([
    ["", "is empty"],
    [
      // The engine's output for a YAML program with an unknown type.
      JSON.stringify({
        steps: [],
        diagnostics: [
          "\u001b[31mError\u001b[0m: error resolving type of resource key",
          "  on Pulumi.yaml line 9:\n\n",
        ].map((message) => ({ severity: "info#err", message })),
        changeSummary: { create: 1 },
      }),
      "do: Error: error resolving type of resource key\non Pulumi.yaml line 9:",
    ],
    ['{"changeSummary":{}}', "shows no resource at all"],
  ])("is absent when the preview is %j", async (text, message) => {
    const { plan, impact } = await subjectOf(text);
    expect(plan).toEqual({
      absent: expect.stringContaining(message) as string,
    });
    expect((impact as Impact).events).toBe(20);
  });
});

describe("the reviewed rule set of a plan", () => {
  const reviewed = async (
    preview: string,
    more: Partial<ReviewRequest> = {},
    without: Parameters<typeof subjectOf>[2] = [],
  ) =>
    planOf(await subjectOf(preview, more, without))
      .ruleSets.filter(({ isReviewed }) => isReviewed)
      .map(({ name }) => name);

  it("is the named rule set, the one of the named environment, or the one with the rules of the file", async () => {
    const two = previewOutput(update(), ofStaging());
    expect(await reviewed(two, { resource: ["staging"] })).toEqual(["staging"]);
    for (const environment of ["Staging", staging])
      expect(await reviewed(two, { environment })).toEqual(["staging"]);
    expect(await reviewed(two)).toEqual(["rules"]);
  });

  it("is every changing rule set when none has the file's rules, or an error with a list when the choice is unclear", async () => {
    const two = previewOutput(
      { ...update(), after: ruleSetArgs([PHONES]) },
      ofStaging(),
    );
    expect(await reviewed(two)).toEqual(["rules", "staging"]);
    const kept = previewOutput({ ...update(), op: "same" }, ofStaging());
    expect(await reviewed(kept)).toEqual(["rules"]);
    const other = { ...update(), after: ruleSetArgs([PHONES]), op: "same" };
    expect(await reviewed(previewOutput(other, ofStaging()))).toEqual([
      "staging",
    ]);
    expect(await reviewed(two, { resource: ["staging", "rules"] })).toEqual([
      "rules",
      "staging",
    ]);
    await expect(
      reviewed(previewOutput(ofStaging()), { environment: "Default" }),
    ).rejects.toThrow(`of Default (${main}); it shows staging.`);
    await expect(
      reviewed(two, { environment: "Default", resource: ["staging"] }),
    ).rejects.toThrow(
      `is of Staging (${staging}), and --environment names Default (${main})`,
    );
    await expect(reviewed(two, { resource: ["shop"] })).rejects.toThrow(
      '"shop"; it shows rules, staging.',
    );
  });

  it("must belong to the named stack", async () => {
    const one = previewOutput(update());
    for (const stack of ["prod", "shop/prod", "acme/shop/prod"])
      expect(await reviewed(one, { stack })).toEqual(["rules"]);
    await expect(reviewed(one, { stack: "staging" })).rejects.toSay(
      "plan/of-another-stack",
    );
  });

  it("is replayed on the past events of its environment", async () => {
    const { impact, environment } = await subjectOf(
      previewOutput({
        ...ofStaging(),
        after: ruleSetArgs([BROWSERS], { environment: staging }),
      }),
    );
    expect(environment).toBe(`Staging (${staging})`);
    expect(impact).toMatchObject({
      events: 7,
      total: { newlyDenied: { value: 7 } },
    });
  });
});

describe("the subject of a review", () => {
  it("has no events when provably no request is decided differently", async () => {
    repository.file("rules.json", {
      rules: [CRAWLERS, { name: "never", expression: "false", action: "deny" }],
    });
    const proven = { absent: expect.stringContaining("proven") as string };
    expect((await subjectOf(undefined)).impact).toEqual(proven);
    const same = { ...update(), after: ruleSetArgs([CRAWLERS]) };
    expect((await subjectOf(previewOutput(same))).impact).toEqual(proven);
    // The plan may differ from the file.
    expect((await subjectOf(previewOutput(update()))).impact).toMatchObject({
      events: 20,
    });
  });

  it("counts the events of every environment when the environment is unknown, and says so", async () => {
    const { environment, base, impact } = await subjectOf(undefined, {}, [
      "DEVID_MANAGEMENT_KEY",
    ]);
    expect((impact as Impact).events).toBe(27);
    expect(environment).toBe("every environment that the secret key sees");
    expect(base.note).toContain("without a management key");
    const named = await subjectOf(undefined, { environment: staging }, [
      "DEVID_MANAGEMENT_KEY",
    ]);
    expect((named.impact as Impact).events).toBe(7);
    expect(named).toMatchObject({
      environment: staging,
      scope: { environment: staging },
    });
    expect(named.base.note).toBeUndefined();
  });

  it("is compared with the rules in force when main has no valid file", async () => {
    repository.git("checkout", "--quiet", "main");
    repository.file("rules.json", "<<<<<<< HEAD\n");
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "repair");
    repository.file("rules.json", { rules: [CRAWLERS, CURL] });
    repository.commit();
    const live = {
      name: `live (Default, ${main})`,
      rules: [{ name: "crawlers" }],
      note: expect.stringMatching(
        /^compared with the rules in force, because rules\.json at main at [0-9a-f]{10} is not a valid rule file/,
      ) as string,
    };
    expect((await subjectOf(undefined)).base).toMatchObject(live);
    expect(
      (await subjectOf(previewOutput(update()), {}, ["DEVID_MANAGEMENT_KEY"]))
        .base,
    ).toMatchObject({ ...live, name: `live (${main})` });
    const { base } = await subjectOf(undefined, {}, ["DEVID_MANAGEMENT_KEY"]);
    expect(base).toEqual({
      name: expect.stringMatching(/^main at /) as string,
      absent: expect.stringContaining("is not a valid rule file") as string,
    });
  });

  it("for a recovery of main is compared with the rules in force", async () => {
    expect(await subjectOf(undefined, { recover: true })).toMatchObject({
      purpose: "recovery",
      base: { name: `live (Default, ${main})` },
    });
    const { base } = await subjectOf(undefined, {
      recover: true,
      base: "main",
    });
    expect(base.name).toMatch(/^main at /);
  });
});
