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

it("lint stops its searches once the time is over, and says so", () => {
  expect(codes()).toEqual(["unreachable", "never-matches"]);
  const [first, ...others] = lintRules(RULES, { withinMs: 0 });
  expect(first).toMatchObject({
    code: "out-of-time",
    severity: "note",
    index: 0,
    message: expect.stringContaining("lint ended after 0 s") as string,
  });
  // Findings that need no search are still reported.
  expect(others.map(({ code }) => code)).toEqual([
    "unreachable",
    "changes-nothing",
  ]);
});

it("lint has a default time limit", () => {
  hurryProcessorTime(11_000);
  expect(codes()).toContain("out-of-time");
});
