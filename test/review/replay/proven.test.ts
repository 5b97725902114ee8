import type { Event } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import { measureImpact } from "@devid/review/replay";
import { describe, expect, it } from "vitest";
import { sampleImpact } from "../../../review/src/replay/sample-impact";
import { planSample } from "../../../review/src/replay/sample-plan";
import { SeededRandom } from "../../bench/seeded-random";
import { allow, rule } from "../../rules/diff/rule";

const START = Date.UTC(2026, 5, 1);
const END = START + 24 * 3_600_000;
const COUNT = 20_000;

const EVENTS: readonly Event[] = Array.from({ length: COUNT }, (_, n) => ({
  event_id: `e${n}`,
  timestamp: START + Math.floor((n * (END - START)) / COUNT),
  user_agent: n % 50 === 0 ? "curl/8" : "Mozilla/5.0",
}));

const CURL = rule("curl", "http.user_agent.string startsWith 'curl/'");
const KEY = rule("key", "'X-Key' in http.request.headers");
const WGET = rule("wget", "http.user_agent.string startsWith 'wget/'");
const OFF: Rule = { ...CURL, name: "off", status: "disabled" };

/** The impact by a sample of about 1,000 events. */
function sampled(inForce: readonly Rule[], proposed: readonly Rule[]) {
  const random = new SeededRandom(1);
  const range = { start: START, end: END };
  const size = { sample: 1_000, total: COUNT, hasTimeLimit: false };
  const plan = planSample(range, size, () => random.next());
  if (!plan) return expect.fail("no sample");
  return sampleImpact(
    async function* ({ start, end }) {
      for (const event of EVENTS)
        if (event.timestamp >= start && event.timestamp <= end)
          yield await Promise.resolve(event);
    },
    plan,
    { ...range, inForce, proposed },
  );
}

const NONE = { value: 0 };
const NO_EVENTS = {
  newlyDenied: NONE,
  newlyAllowed: NONE,
  unchanged: NONE,
  cannotTell: NONE,
};

describe("a proven figure of a sample has no bounds:", () => {
  it.each<[string, readonly Rule[], readonly Rule[]]>([
    ["the same set", [CURL, KEY], [CURL, KEY]],
    ["two empty sets", [], []],
    [
      "two spellings of an expression",
      [CURL],
      [{ ...CURL, expression: `(${CURL.expression.replaceAll("'", '"')})` }],
    ],
    [
      "two expressions with the same meaning about a header that no event has",
      [KEY],
      [{ ...KEY, expression: "!!('X-Key' in http.request.headers)" }],
    ],
    ["an added disabled rule", [CURL], [CURL, OFF]],
  ])("no decision changes for %s", async (_, inForce, proposed) => {
    const { total, rules, sample } = await sampled(inForce, proposed);
    expect(total.newlyDenied).toEqual(NONE);
    expect(total.newlyAllowed).toEqual(NONE);
    expect(total.cannotTell).toEqual(NONE);
    expect(total.unchanged).toEqual(sample?.of);
    for (const { outcomes } of rules)
      expect({ ...outcomes, unchanged: NONE }).toEqual(NO_EVENTS);
  });

  it("a removed deny rule denies nothing more, and only the newly allowed events have bounds", async () => {
    const { total, rules } = await sampled([CURL, WGET], [WGET]);
    expect(total.newlyDenied).toEqual(NONE);
    expect(rules.map(({ outcomes }) => outcomes.newlyDenied)).toEqual([
      NONE,
      NONE,
    ]);
    expect(total.newlyAllowed.high).toBeGreaterThan(COUNT / 50);
  });

  it("an added deny rule allows nothing more, and only the newly denied events have bounds", async () => {
    const { total, rules } = await sampled([CURL], [CURL, WGET]);
    expect(total.newlyAllowed).toEqual(NONE);
    expect(total.newlyDenied).toMatchObject({ value: 0, low: 0 });
    expect(total.newlyDenied.high).toBeGreaterThan(0);
    const wget = rules.find(({ name }) => name === "wget");
    expect(wget?.decidedBefore).toEqual(NONE);
    expect(wget?.outcomes.newlyAllowed).toEqual(NONE);
    expect(wget?.outcomes.newlyDenied).toEqual(total.newlyDenied);
  });

  it("in a full count, a proof also settles events that lack a field", async () => {
    const { total, missing } = await measureImpact(
      (async function* () {
        yield await Promise.resolve(EVENTS[0] ?? expect.fail());
      })(),
      {
        start: START,
        end: END,
        inForce: [KEY],
        proposed: [
          { ...KEY, expression: "!!('X-Key' in http.request.headers)" },
        ],
      },
    );
    expect(total).toMatchObject({ unchanged: { value: 1 }, cannotTell: NONE });
    expect(missing).toEqual([]);
  });
});

describe("the bounds of a rule's figures", () => {
  it("are zero for an allow rule that cannot deny, and for a disabled rule", async () => {
    const { rules } = await sampled(
      [CURL],
      [allow("ours", "sdk.platform.is_ios"), WGET, OFF],
    );
    const [ours, wget, off, curl] = rules;
    expect(ours?.decidedBefore).toEqual(NONE);
    expect(ours?.outcomes.newlyDenied).toEqual(NONE);
    expect(wget?.outcomes.newlyAllowed).toEqual(NONE);
    expect(off).toMatchObject({ name: "off" });
    expect([off?.decidedBefore, off?.decidedAfter]).toEqual([NONE, NONE]);
    expect(off?.outcomes).toEqual(NO_EVENTS);
    expect(curl?.decidedAfter).toEqual(NONE);
    expect(curl?.outcomes.newlyDenied).toEqual(NONE);
  });

  it("are never above those of all rules together", async () => {
    const { total, rules } = await sampled([], [CURL, WGET]);
    const [curl, wget] = rules.map(({ outcomes }) => outcomes.newlyDenied);
    const { percent: _, ...ofAll } = total.newlyDenied;
    expect(curl).toEqual(ofAll);
    expect(wget).toEqual({ value: 0, low: 0, high: total.newlyDenied.high });
  });
});
