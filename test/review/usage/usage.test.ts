import type { Event } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import {
  countUsage,
  formatUsageHtml,
  formatUsageText,
  isUnusedTerm,
  type Usage,
  UsageCounter,
} from "@devid/review/replay";
import { decisionComparison } from "../../../review/src/replay/compare-decisions";
import { USAGE } from "./sample-usage";
import { eventAsRuleRequest } from "@devid/rules/language";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  eachEvent,
  END,
  event,
  rules as randomRules,
  START,
} from "../replay/random-replay";
import { rule } from "../../rules/diff/rule";
import { expectGolden } from "../../helpers/golden";

const RANGE = { start: START, end: END };

const at = (minute: number, members: Partial<Event>): Event => ({
  event_id: `e${minute}`,
  timestamp: START + minute * 60_000,
  ...members,
});

const usageOn = (
  events: readonly Event[],
  rules: readonly Rule[],
): Promise<Usage> =>
  countUsage(eachEvent(events), new UsageCounter({ rules, ...RANGE }));

const ORIGIN = "http.request.headers['Origin'][0]";

describe("the usage of rules", () => {
  it("shows what a rule decided, when, and what earlier rules left for it", async () => {
    const usage = await usageOn(
      [
        at(1, { user_agent: "curl/8", ip_address: "10.0.0.1" }),
        at(2, { user_agent: "curl/8", ip_address: "192.0.2.1" }),
        at(3, { user_agent: "Mozilla/5.0", ip_address: "10.0.0.1" }),
        at(4, { user_agent: "Mozilla/5.0", ip_address: "192.0.2.1" }),
      ],
      [
        rule("curl", "http.user_agent.string startsWith 'curl/'"),
        rule("inside", "http.request.ip in cidr('10.0.0.0/8')"),
        rule("curl 8", "http.user_agent.string == 'curl/8'"),
        rule("wget", "http.user_agent.string startsWith 'Wget/'"),
        { ...rule("off"), status: "disabled" },
      ],
    );
    const found = usage.rules.map((rule) => [
      ...[rule.name, rule.verdict, rule.decided, rule.matched],
    ]);
    expect(found).toEqual([
      ["curl", "decides", 2, 2],
      ["inside", "decides", 1, 2],
      ["curl 8", "overruled", 0, 2],
      ["wget", "never", 0, 0],
      ["off", "disabled", 0, 0],
    ]);
    expect(usage.rules[0]?.time).toEqual({
      first: "2026-06-01T00:01:00.000Z",
      last: "2026-06-01T00:02:00.000Z",
    });
    expect(usage.rules[2]?.overruledBy).toEqual([{ rule: "curl", events: 2 }]);
    expect(usage.decidedByNone).toBe(1);
  });

  it("names the field that a rule needs and no event has", async () => {
    const usage = await usageOn(
      [at(1, { sdk: { platform: "js", version: "3" } })],
      [
        rule("app", "sdk.platform.app_package_name == 'com.example'"),
        rule("referer", "http.request.headers['Referer'][0] == 'x'"),
      ],
    );
    expect(usage.rules).toMatchObject([
      { verdict: "never", neverFilled: ["sdk.platform.app_package_name"] },
      {
        verdict: "cannot tell",
        neverFilled: ["http.request.headers['Referer']"],
      },
    ]);
  });

  it("covers each value of a list, each network and each exception", async () => {
    const usage = await usageOn(
      [
        at(1, { origin: "https://a.example", ip_address: "10.0.0.1" }),
        at(2, { origin: "https://b.example", ip_address: "10.0.0.1" }),
        at(3, { origin: "https://c.example", ip_address: "192.0.2.1" }),
      ],
      [
        rule(
          "partners",
          `!(${ORIGIN} in ['https://a.example', 'https://old.example'])`,
        ),
        rule(
          "networks",
          "http.request.ip in cidr('10.0.0.0/8') || http.request.ip in cidr('172.16.0.0/12')",
        ),
      ],
    );
    const terms = usage.rules.flatMap(({ name, terms: of }) =>
      of.map((one) => [...[name, one.term, one.events, one.isException]]),
    );
    expect(terms).toEqual([
      ["partners", `${ORIGIN} in ['https://a.example']`, 1, true],
      ["partners", `${ORIGIN} in ['https://old.example']`, 0, true],
      ["networks", "http.request.ip in cidr('10.0.0.0/8')", 1, false],
      ["networks", "http.request.ip in cidr('172.16.0.0/12')", 0, false],
    ]);
  });

  it("is the same for equal requests counted together or one by one", async () => {
    const events = [1, 2, 3].map((n) => at(n, { user_agent: "curl/8" }));
    const rules = [rule("curl", "http.user_agent.string startsWith 'curl/'")];
    const counter = new UsageCounter({ rules, ...RANGE });
    counter.add({
      request: eventAsRuleRequest({ user_agent: "curl/8" }),
      events: 3,
      first: START + 60_000,
      last: START + 180_000,
    });
    expect(counter.usage()).toEqual(await usageOn(events, rules));
  });

  it("calls a rule or a term unused only if removing it changes nothing", async () => {
    const values = fc.subarray(
      ["https://a.example", "https://b.example", "https://c.example"],
      { minLength: 2 },
    );
    const listed = fc
      .tuple(values, fc.constantFrom("in", "not in"), fc.boolean())
      .map(([list, operator, isRight]) => {
        const test = `${ORIGIN} ${operator} [${list.map((one) => `'${one}'`).join(", ")}]`;
        const agent = "http.user_agent.string startsWith 'curl/'";
        return isRight ? `${agent} || ${test}` : `${agent} && ${test}`;
      });
    let unused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 20 }),
        randomRules(listed),
        async (events, set) => {
          const usage = await usageOn(events, set);
          const inRange = events.filter(
            ({ timestamp }) => timestamp >= START && timestamp < END,
          );
          for (const { name, terms, verdict } of usage.rules) {
            const without = [
              ...(verdict === "never" || verdict === "overruled"
                ? [set.filter((one) => one.name !== name)]
                : []),
              ...terms
                .filter(isUnusedTerm)
                .map(({ term }) => withoutTerm(set, name, term)),
            ];
            for (const shorter of without) {
              unused += 1;
              const compare = decisionComparison(set, shorter, new Set());
              for (const one of inRange.flatMap(completed))
                expect(compare(eventAsRuleRequest(one)).outcome).toBe(
                  "unchanged",
                );
            }
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(unused).toBeGreaterThan(20);
  });
});

/** The event with each value that its missing part may have. */
function completed(one: Event): Event[] {
  const origins = one.origin ? [one.origin] : ["a", "b", "c", "d"];
  const agents = one.user_agent ? [one.user_agent] : ["curl/8", "Mozilla/5.0"];
  return origins.flatMap((origin) =>
    agents.map((user_agent) => ({
      ...one,
      origin: one.origin ?? `https://${origin}.example`,
      user_agent,
    })),
  );
}

/** The set without one value of a list or one operand of `||`. */
function withoutTerm(set: readonly Rule[], name: string, term: string): Rule[] {
  const value = / in \[('[^']*')\]$/.exec(term)?.[1];
  const [before = "", after = ""] =
    value === undefined ? [term, "false"] : [value, "'gone'"];
  return set.map((one) =>
    one.name === name
      ? { ...one, expression: one.expression.replace(before, after) }
      : one,
  );
}

describe("the report of usage", () => {
  it("fits 80 columns", () => {
    const text = formatUsageText(USAGE, "rules.yaml");
    for (const line of text.split("\n"))
      expect(line.length, line).toBeLessThanOrEqual(80);
    expectGolden("usage/usage.txt", text);
  });

  it("has a page that escapes the text of rules", () => {
    const html = formatUsageHtml(USAGE, "rules.yaml");
    expect(html).toContain("a in [&#39;&lt;y&gt;&#39;]");
    expect(html).not.toContain("<y>");
    expect(html).toContain("<h1>Usage of <code>rules.yaml</code></h1>");
  });
});
