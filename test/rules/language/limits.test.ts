import { describe, expect, test } from "vitest";
import {
  formatExpression,
  MAX_LEVELS,
  MAX_NODES,
  MAX_SOURCE_LENGTH,
  parseExpression,
  printExpression,
} from "../../../rules/src/language";
import { answer as value } from "./checked";

const nested = (open: string, middle: string, close: string, levels: number) =>
  open.repeat(levels) + middle + close.repeat(levels);

const chain = (operands: number, operand: string, operator: string) =>
  Array(operands).fill(operand).join(operator);

describe("the limit of levels", () => {
  test.each([
    ["brackets", nested("(", "true", ")", MAX_LEVELS), true],
    ["negations", `${"!".repeat(MAX_LEVELS)}true`, true],
    ["conditions", `${"false ? true : ".repeat(MAX_LEVELS)}true`, true],
    ["calls", `${nested("lower(", "'A'", ")", MAX_LEVELS)} == 'a'`, true],
    ["quantifiers", nested("any([], ", "true", ")", MAX_LEVELS - 1), false],
    ["mixed", nested("!(", "true", ")", MAX_LEVELS / 2), true],
  ])("allows as many %s as documented", (_, source, expected) => {
    expect(value(source)).toBe(expected);
    const parsed = parseExpression(source);
    expect(parsed.ok && value(printExpression(parsed.expression.root))).toBe(
      expected,
    );
    expect(formatExpression(source)).toBeTypeOf("string");
  });

  test.each([
    ["brackets", nested("(", "true", ")", MAX_LEVELS + 1)],
    ["brackets that stay open", "(".repeat(90_000)],
    ["negations", `${"not ".repeat(20_000)}true`],
    ["lists", "[".repeat(90_000)],
    ["quantifiers", nested("any([], ", "true", ")", 5_000)],
  ])("refuses more %s", (_, source) => {
    expect(value(source)).toContain(`${MAX_LEVELS} levels`);
  });

  test("does not count the operands of a long chain", () => {
    expect(value(chain(4_000, "true", " && "))).toBe(true);
    expect(value(chain(4_000, "true", " == "))).toBe(true);
    expect(value(chain(3_000, "1", " <= "))).toBe(true);
  });
});

test("nodes are counted like in expr-lang", () => {
  // n operands and n - 1 operators.
  const operands = (count: number) => value(chain(count, "true", " && "));
  expect(operands(MAX_NODES / 2)).toBe(true);
  expect(operands(MAX_NODES / 2 + 1)).toContain(`${MAX_NODES} names, values`);
});

// contract: rules-23
test("a source of the greatest length is accepted, a longer source is refused", () => {
  const text = (length: number) => `'${"a".repeat(length - 8)}' != ''`;
  expect(text(MAX_SOURCE_LENGTH)).toHaveLength(MAX_SOURCE_LENGTH);
  expect(value(text(MAX_SOURCE_LENGTH))).toBe(true);
  expect(value(text(MAX_SOURCE_LENGTH + 1))).toContain("100000 characters");
});

test("patterns run in linear time and have a largest size", () => {
  const evil = (pattern: string) =>
    `http.user_agent.string matches '${pattern}'`;
  // In exponential time, this evaluation would not end.
  const request = { headers: {}, userAgent: `${"a".repeat(20_000)}!` };
  expect(value(evil("^(a+)+$"), request)).toBe(false);
  expect(value(evil("a".repeat(10_001)))).toContain("10000 characters");
  expect(value(evil("(a{1000}|b{1000})".repeat(20)))).toContain("too large");
});
