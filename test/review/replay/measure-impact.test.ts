import type { Event } from "@devid/sdk";
import { measureImpact } from "@devid/review/replay";
import type { Rule } from "@devid/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allow, rule } from "../../rules/diff/rule";
import { bruteForce, judge } from "./brute-force";
import { compound, eachEvent, END, event, rules, START } from "./random-replay";

const measure = (
  events: readonly Event[],
  inForce: readonly Rule[],
  proposed: readonly Rule[],
) =>
  measureImpact(eachEvent(events), {
    inForce,
    proposed,
    start: START,
    end: END,
  });

const at = (n: number, rest: Partial<Event> = {}): Event => ({
  event_id: `e${n}`,
  timestamp: START + n,
  ...rest,
});

const CURL = "http.user_agent.string startsWith 'curl/'";
const X_A = "'X-A' in http.request.headers";

describe("compared with brute force,", () => {
  it("every figure is the same if only one expression reads each unknown part", async () => {
    const seen = { newlyDenied: 0, newlyAllowed: 0, cannotTell: 0, unseen: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 30 }),
        rules(),
        rules(),
        async (events, inForce, proposed) => {
          const impact = await measure(events, inForce, proposed);
          const { deniedBefore, deniedAfter, unknown, ...expected } =
            bruteForce(events, inForce, proposed);
          const { range, suspectThreshold, periods, missing, ...figures } =
            impact;
          expect(figures).toEqual(expected);
          expect(suspectThreshold).toBe(10);
          // Each undetermined event names a field that it lacks.
          const undetermined = figures.total.cannotTell.value;
          const named = missing.reduce((sum, { events }) => sum + events, 0);
          expect(named).toBeGreaterThanOrEqual(undetermined);
          for (const { field, events } of missing)
            expect(
              unknown.filter((fields) => fields.has(field)).length,
            ).toBeGreaterThanOrEqual(events);
          const sum = (of: "events" | "deniedBefore" | "deniedAfter") =>
            periods.reduce((total, period) => total + period[of], 0);
          expect([
            sum("events"),
            sum("deniedBefore"),
            sum("deniedAfter"),
          ]).toEqual([expected.events, deniedBefore, deniedAfter]);
          seen.newlyDenied += expected.total.newlyDenied.value;
          seen.newlyAllowed += expected.total.newlyAllowed.value;
          seen.cannotTell += expected.total.cannotTell.value;
          if (impact.newlyAllowed === "not observable") seen.unseen += 1;
        },
      ),
      { numRuns: 125 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
  });

  it("every certain answer is true for each value of the unknown parts", async () => {
    let certain = 0;
    await fc.assert(
      fc.asyncProperty(
        event,
        rules(compound),
        rules(compound),
        async (one, inForce, proposed) => {
          const known = { ...one, timestamp: START };
          const { total, rules } = await measure([known], inForce, proposed);
          if (total.cannotTell.value > 0) return;
          certain += 1;
          const { outcome, before, after } = judge(known, inForce, proposed);
          expect(total[outcome].value).toBe(1);
          for (const { name, decidedBefore, decidedAfter } of rules) {
            const by = [before, after].map(({ deciders }) =>
              deciders.every((decider) => decider?.name === name),
            );
            if (decidedBefore.value > 0) expect(by[0]).toBe(true);
            if (decidedAfter.value > 0) expect(by[1]).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(certain).toBeGreaterThan(50);
  });
});

describe("an undetermined event", () => {
  it("names its missing fields, the most frequent first", async () => {
    const events = [at(1), at(2, { user_agent: "Mozilla/5.0" })];
    const { total, missing } = await measure(
      events,
      [],
      [rule("a", CURL), rule("b", X_A)],
    );
    expect(total.cannotTell.value).toBe(2);
    expect(missing).toEqual([
      { field: "http.request.headers['X-A']", events: 2 },
      { field: "http.user_agent.string", events: 1 },
    ]);
  });

  it("names the fields that changed rules read, not those of unchanged rules", async () => {
    const unchanged = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? allow(`a${n}`, `'X-${n}' in http.request.headers`)
        : rule(`d${n}`, `'X-${n}' in http.request.headers`),
    );
    const fields = async (before: Rule[], after: Rule[]) => {
      const { missing } = await measure([at(1)], before, after);
      return missing.map(({ field }) => field);
    };
    const added = rule("new", X_A);
    for (const place of [0, 7, 20])
      expect(
        await fields(unchanged, unchanged.toSpliced(place, 0, added)),
      ).toEqual(["http.request.headers['X-A']"]);
    // The added rule certainly matches. The rule above decides whether it is reached.
    const above = unchanged.slice(0, 1);
    expect(await fields(above, [...above, rule("all")])).toEqual([
      "http.request.headers['X-0']",
    ]);
    // A rule that moved counts as changed. The other rule does not.
    const [one, other] = [
      allow("one", X_A),
      rule("other", "'X-B' in http.request.headers"),
    ];
    expect(await fields([one, other], [other, one])).toHaveLength(1);
  });

  it("does not exist because of a header in a spelling that no request has", async () => {
    const misspelt = "'x-a' in http.request.headers";
    const rules = [rule("a", misspelt), rule("b", `!(${misspelt}) && ${X_A}`)];
    const { total, missing } = await measure([at(1)], [], rules);
    expect(missing.map(({ field }) => field)).toEqual([
      "http.request.headers['X-A']",
    ]);
    expect(total.cannotTell.value).toBe(1);
    const alone = await measure([at(1)], [], [rule("a", misspelt)]);
    expect(alone.total.unchanged.value).toBe(1);
  });

  it("does not name a field of a rule that cannot change the decision", async () => {
    const { missing } = await measure(
      [at(1, { user_agent: "curl/8" })],
      [rule("a", "'X-B' in http.request.headers"), rule("curl", CURL)],
      [rule("b", X_A)],
    );
    expect(missing.map(({ field }) => field)).toEqual([
      "http.request.headers['X-A']",
    ]);
  });

  it("exists if an invalid expression may match in one set, but not if both sets have it", async () => {
    const unreadable = rule("asn", "http.request.asn == 64512");
    const same = await measure([at(1)], [unreadable], [unreadable]);
    expect(same.total.unchanged.value).toBe(1);
    const { total, missing } = await measure([at(1)], [unreadable], []);
    expect(total.cannotTell.value).toBe(1);
    expect(missing).toEqual([
      { field: 'the expression of rule "asn"', events: 1 },
    ]);
  });
});

describe("the range of an impact", () => {
  const options = { inForce: [], proposed: [rule("all")] };

  it("includes its start but not its end, and has 48 periods", async () => {
    const length = END - START;
    const events = [-1, 0, 1, length - 1, length, NaN].map((n) => at(n));
    const impact = await measure(events, [], options.proposed);
    expect(impact.range).toEqual({
      start: "2026-06-01T00:00:00.000Z",
      end: "2026-06-01T01:00:00.000Z",
    });
    expect(impact.events).toBe(3);
    expect(impact.periods).toHaveLength(48);
    const [first, second] = impact.periods;
    expect(first).toEqual({
      start: "2026-06-01T00:00:00.000Z",
      events: 2,
      deniedBefore: 0,
      deniedAfter: 2,
    });
    expect(second?.start).toBe("2026-06-01T00:01:15.000Z");
    expect(impact.periods.at(-1)?.events).toBe(1);
  });

  it("may be shorter than 48 milliseconds", async () => {
    const impact = await measureImpact(eachEvent([at(0), at(2)]), {
      ...options,
      start: START,
      end: START + 3,
    });
    expect(impact.periods.map(({ events }) => events)).toEqual([1, 0, 1]);
  });

  it.each([
    [{ start: END, end: START }, "end: must be after start"],
    [{ start: START, end: START }, "end: must be after start"],
    [{ start: "yesterday", end: END }, "start: must be a Date"],
  ])("refuses %j", async (range, message) => {
    const call = measureImpact(eachEvent([]), { ...options, ...range });
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toHaveProperty("name", "InvalidInputError");
  });

  it("accepts dates in every form", async () => {
    const impact = await measureImpact(eachEvent([at(1)]), {
      ...options,
      start: new Date(START),
      end: "2026-06-01T01:00:00Z",
    });
    expect(impact.events).toBe(1);
  });
});

describe("a rule with an unknown word", () => {
  const events = [
    at(1, { user_agent: "curl/8" }),
    at(2, { user_agent: "Mozilla/5.0" }),
  ];
  const unknowns: [string, Partial<Record<keyof Rule, string>>][] = [
    ["status", { action: "deny", status: "monitor" }],
    ["action", { action: "challenge", status: "enabled" }],
  ];
  const odd = (members: object) => Object.assign(rule("odd", CURL), members);
  const last = { ...rule("last", CURL), action: "deny" } as const;

  it.each(unknowns)(
    "as its %s makes only the requests that it matches undetermined",
    async (_, members) => {
      const added = await measure(events, [], [odd(members)]);
      expect(added.total.cannotTell.value).toBe(1);
      expect(added.total.unchanged.value).toBe(1);
      expect(added.missing.map(({ field }) => field)).toEqual([
        expect.stringContaining('rule "odd"'),
      ]);
      expect(added.rules).toMatchObject([
        { name: "odd", before: "absent", after: "unknown" },
      ]);
      const behind = await measure(events, [], [odd(members), last]);
      expect(behind.total.newlyDenied.value).toBe(
        members.status === "monitor" ? 1 : 0,
      );
    },
  );

  it.each(unknowns)(
    "as its %s does not change if it is the same in both sets",
    async (_, members) => {
      const moved = { ...odd(members), name: "other name" };
      const same = await measure(events, [odd(members)], [moved]);
      expect(same.total.unchanged.value).toBe(2);
    },
  );
});
