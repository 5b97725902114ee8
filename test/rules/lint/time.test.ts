import { afterEach, expect, it, vi } from "vitest";
import { checkRuleFile, lintRules } from "@devid/rules";
import { TimeLimit } from "../../../rules/src/time-limit";
import { rulesOf } from "./rules";
import { hurryProcessorTime } from "../processor-time";

afterEach(() => vi.restoreAllMocks());

const RULES = rulesOf(
  "deny sdk.platform.is_ios",
  "deny sdk.platform.is_ios",
  "allow sdk.platform.name == 'ios' && sdk.platform.name == 'js'",
);
const codes = (withinMs?: number) =>
  lintRules(RULES, { withinMs }).map(({ code }) => code);

it("lint ends once the time is over, and says what it did not look for", () => {
  expect(codes()).toEqual(["unreachable", "never-matches"]);
  expect(lintRules(RULES, { withinMs: 0 })).toEqual([
    expect.objectContaining({
      code: "out-of-time",
      severity: "note",
      index: 0,
      message: expect.stringMatching(
        /^lint ended after 0 s, .* deny-all, .*unreachable/,
      ) as string,
    }),
  ]);
});

it("lint has a default time limit", () => {
  hurryProcessorTime(11_000);
  expect(codes()).toContain("out-of-time");
});

it("wherever the time ends, edits have a proven effect, and what is left out is said", () => {
  const expression = "http.request.ip in cidr('203.0.113.7/24')";
  const text = JSON.stringify({
    rules: [{ name: "a", expression, action: "deny" }],
  });
  /** The findings if the time is over after so many looks at the clock. */
  const endingAfter = (most: number) => {
    const time = new TimeLimit(10_000);
    let looks = 0;
    vi.spyOn(time, "isOver", "get").mockImplementation(() => looks++ >= most);
    return { found: checkRuleFile(text, "a.json", { time }), looks };
  };
  const whole = endingAfter(Infinity);
  expect(whole.found).toMatchObject([{ code: "network", keepsMeaning: true }]);
  const said = new Set<string>();
  for (let most = 0; most < whole.looks; most++) {
    const { found } = endingAfter(most);
    const [over] = found.filter(({ code }) => code === "out-of-time");
    said.add(over?.message ?? "");
    for (const { edits, keepsMeaning } of found)
      expect(keepsMeaning === undefined).toBe(edits === undefined);
    if (!found.some(({ edits }) => edits)) expect(over).toBeDefined();
  }
  expect([...said].join()).toContain("what the fixes of 1 finding change");
});
