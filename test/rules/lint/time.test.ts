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

it("lint looks for nothing more once the time is over, and says so", () => {
  expect(codes()).toEqual(["duplicate", "never-matches"]);
  const [first, ...others] = lintRules(RULES, { withinMs: 0 });
  expect(first).toMatchObject({
    code: "out-of-time",
    severity: "note",
    index: 0,
    message: expect.stringContaining("lint ended after 0 s") as string,
  });
  // What takes no search is still found.
  expect(others.map(({ code }) => code)).toEqual([
    "duplicate",
    "allow-changes-nothing",
  ]);
});

it("lint has a limit of its own where none is given", () => {
  hurryProcessorTime(11_000);
  expect(codes()).toContain("out-of-time");
});
