import { afterEach, expect, it, vi } from "vitest";
import { lintRules } from "@devid/rules";
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
