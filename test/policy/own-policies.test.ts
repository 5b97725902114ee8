import {
  definePolicy,
  reputationOf,
  WhenUnreachable,
  type PolicyDefinition,
} from "@devid/policy/define";
import { denyBlastRadius, publicKeyHasRateLimit } from "@devid/policy/policies";
import { checkPolicy, checkStack, remedyOf } from "@devid/policy/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  approvedPhone,
  calmTraffic,
  keyIsLimited,
  namedRules,
} from "@devid/example-own-policies/policies";
import { sharedForTests } from "../helpers/local-for-tests";
import { rejection } from "../sdk/workspace";
import { inState, rule, UNKNOWN } from "./ask";

const config = z.strictObject({ max: z.int().default(1) });
type Definition = PolicyDefinition<typeof config>;
type Checks = NonNullable<Definition["checkStack"]>;
type Policy = ReturnType<typeof definePolicy>;

const workspace = sharedForTests();

const provider = () => ({
  "devid.Provider:endpoint": workspace.url,
  "devid.Provider:secretKey": workspace.service.workspaces.us.secretKey,
  "devid.Provider:eventsRequestsPerSecond": "off",
});

const unreachable = {
  ...{ "devid.Provider:endpoint": "http://127.0.0.1:9" },
  "devid.Provider:secretKey": "warbler-key",
};

describe("the example of your own policy pack", () => {
  it("reads the events of the last hour", async () => {
    const check = (maxPercent: number) =>
      checkPolicy(calmTraffic, {
        kind: "Stack",
        config: { maxPercent },
        provider: provider(),
      });
    expect(await check(20)).toEqual({
      violations: [],
      notChecked: [expect.toSay("own-policies/no-event")],
    });
    const events = ["bad", "bad", "not_detected", "good"].map((bot) => ({
      bot,
    }));
    await workspace.control("/us/events", events);
    expect((await check(50)).violations).toEqual([]);
    expect((await check(49)).violations).toSay("own-policies/bad-bots");
  });

  it("reads the reputation of a device", async () => {
    const check = (visitorId?: string) =>
      checkPolicy(approvedPhone, {
        kind: "Stack",
        config: { visitorId },
        provider: provider(),
      });
    const dates = {
      startDate: "2026-01-01T00:00:00Z",
      endDate: "2026-01-31T00:00:00Z",
    };
    const score = (value: number) => ({
      suspectScore: {
        ...dates,
        minimum: { value: 0, signals: {} },
        maximum: { value, signals: {} },
      },
    });
    const [calm, suspect, unknown] = ["a", "b", "c"].map((c) => c.repeat(20));
    await workspace.control(`/us/drn/${calm}`, score(10));
    await workspace.control(`/us/drn/${suspect}`, score(11));
    expect((await check()).violations).toEqual([]);
    expect((await check(calm)).violations).toEqual([]);
    expect((await check(suspect)).violations).toSay(
      "own-policies/suspect-device",
      { suspect: String(suspect) },
    );
    expect((await check(unknown)).violations).toSay(
      "own-policies/unknown-device",
      { unknown: String(unknown) },
    );
  });

  it("reads the rules of a rule set, and waits for rules that a preview does not know", async () => {
    const check = (rules: unknown) =>
      checkPolicy(namedRules, { inputs: { rules } });
    const [ios, tor] = [rule("ios", "true"), rule("block-tor", "true")];
    expect((await check(inState(ios, tor))).violations).toEqual([
      'Rename "ios" to "block-ios".',
    ]);
    expect((await check([{ ...ios, name: UNKNOWN }])).violations).toEqual([]);
  });

  it("sets a missing value, and then passes", async () => {
    const key = { kind: "ApiKey", inputs: { name: "Shop", type: "public" } };
    const remedied = await remedyOf(keyIsLimited, key);
    expect(remedied).toEqual({ ...key.inputs, rateLimit: 50 });
    expect((await checkPolicy(keyIsLimited, key)).violations).toHaveLength(1);
    const after = { kind: "ApiKey", inputs: remedied };
    expect((await checkPolicy(keyIsLimited, after)).violations).toEqual([]);
    expect(await remedyOf(keyIsLimited, after)).toBeUndefined();
    expect(await remedyOf(keyIsLimited, { kind: "Webhook" })).toBeUndefined();
  });
});

it.each([
  [calmTraffic, { kind: "Stack" }],
  [denyBlastRadius, { inputs: { rules: inState(rule("a", "true")) } }],
])(
  "a policy whose service does not answer fails, or gives advice if its setting says so: $name",
  async (policy, asked) => {
    const check = (config: object) =>
      checkPolicy(policy, { ...asked, config, provider: unreachable });
    expect((await check({})).violations).toEqual([
      expect.stringMatching(
        /^Could not be checked, because the service is unreachable or failing: .*127\.0\.0\.1:9.* set whenUnreachable: "advise" for this policy\.$/s,
      ),
    ]);
    expect(await check({ whenUnreachable: "advise" })).toEqual({
      violations: [],
      notChecked: [
        expect.stringContaining(
          `${policy.name}: not checked: service unreachable or failing.`,
        ),
      ],
    });
  },
);

it("a policy whose call takes longer than its timeoutMs gives advice if its setting says so", async () => {
  const slow = definePolicy({
    ...{ name: "slow", description: "", appliesTo: () => true },
    config: z.strictObject({ whenUnreachable: WhenUnreachable }),
    check: async ({ resource }) =>
      void (await reputationOf(resource, "a".repeat(20), { timeoutMs: 1 })),
  });
  await workspace.fault({ match: { path: "/drn/*" }, then: "hang" });
  const given = { config: { whenUnreachable: "advise" }, provider: provider() };
  expect(await checkPolicy(slow, given)).toEqual({
    violations: [],
    notChecked: [expect.stringContaining("the timeoutMs of the call")],
  });
});

describe("a key in what a policy says", () => {
  const KEY = "warbler-secret-key";
  const fails = () => {
    throw new TypeError(`The key is ${KEY}`);
  };
  const saying = (parts: Partial<Definition>) =>
    definePolicy({
      ...{ name: "says", description: "", appliesTo: () => true, config },
      check: () => undefined,
      ...parts,
    });

  beforeEach(() => vi.stubEnv("DEVID_SECRET_KEY", KEY));

  it("is removed from a message about a stack, which its settings decide, as is what acts on a terminal", async () => {
    const checks: Checks = ({ resources, config, report }) =>
      report(String(resources[0]?.urn), `${config.max} ${KEY}\u009b`);
    const policy = saying({ checkStack: checks });
    const stack = [{ name: "a", kind: "Webhook" }];
    const said = await checkStack(policy, stack, { max: 2 });
    expect(said).toEqual({ a: ["2 [redacted]\\u009b"] });
    expect(await checkStack(policy, stack, { max: "2" })).toEqual({});
  });

  it.each([
    ["check", (policy: Policy) => checkPolicy(policy, {})],
    ["remedy", (policy: Policy) => remedyOf(policy, {})],
    ["checkStack", (policy: Policy) => checkStack(policy, [])],
  ])("is removed from an error of %s", async (part, run) => {
    const error = await rejection(run(saying({ [part]: fails })));
    expect(error.message).toBe("TypeError: The key is [redacted]");
    expect(error.stack).not.toContain(KEY);
  });
});

it.each([
  ["no limit", { type: "public" }, 100],
  ["a higher limit", { type: "public", rateLimit: 101 }, 100],
  ["a fitting limit", { type: "public", rateLimit: 7 }, undefined],
  ["an unknown limit", { type: "public", rateLimit: UNKNOWN }, undefined],
  ["a secret key", { type: "secret" }, undefined],
])(
  "the remedies of the pack give a public key a rate limit: %s",
  async (_, inputs, rateLimit) => {
    const found = await remedyOf(publicKeyHasRateLimit, {
      ...{ kind: "ApiKey", inputs },
    });
    expect(found?.rateLimit).toBe(rateLimit);
  },
);
