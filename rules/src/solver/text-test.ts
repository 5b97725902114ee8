import { assertNever } from "../assert-never";
import { readPattern } from "../language/regex/pattern";
import { isBefore } from "../language/eval/text";

/** What may be asked of a text. */
export type TextTest =
  | { readonly kind: "in"; readonly values: ReadonlySet<string> }
  | {
      readonly kind: PartOperator;
      readonly part: string;
      /** As `(?i)` in a pattern does. */
      readonly ignoresCase: boolean;
    }
  | { readonly kind: "below" | "above"; readonly than: string }
  | { readonly kind: "pattern"; readonly pattern: string };

/** How a part stands in a text. */
export type PartOperator = "contains" | "startsWith" | "endsWith";

/** Whether a text has a part. */
export function hasPart(
  text: string,
  operator: PartOperator,
  part: string,
): boolean {
  switch (operator) {
    case "contains":
      return text.includes(part);
    case "startsWith":
      return text.startsWith(part);
    case "endsWith":
      return text.endsWith(part);
    default:
      return assertNever(operator);
  }
}

/** What a test says of a text. */
export function passes(test: TextTest, text: string): boolean {
  switch (test.kind) {
    case "in":
      return test.values.has(text);
    case "contains":
    case "startsWith":
    case "endsWith":
      return test.ignoresCase
        ? passesPattern(patternOf(test.kind, test.part), text)
        : hasPart(text, test.kind, test.part);
    case "below":
      return isBefore(text, test.than);
    case "above":
      return isBefore(test.than, text);
    case "pattern":
      return passesPattern(test.pattern, text);
    default:
      return assertNever(test);
  }
}

/** Two tests with the same key are the same. */
export function keyOfTest(test: TextTest): string {
  switch (test.kind) {
    case "in":
      return JSON.stringify(["in", ...test.values]);
    case "contains":
    case "startsWith":
    case "endsWith":
      return `${test.kind}${test.ignoresCase ? "~" : " "}${test.part}`;
    case "below":
    case "above":
      return `${test.kind} ${test.than}`;
    case "pattern":
      return `pattern ${test.pattern}`;
    default:
      return assertNever(test);
  }
}

function passesPattern(pattern: string, text: string): boolean {
  const read = readPattern(pattern);
  return "test" in read && read.test(text);
}

function patternOf(operator: PartOperator, part: string): string {
  const [start, end] = [operator === "startsWith", operator === "endsWith"];
  const escaped = part.replace(/[\\.*+?()|[\]{}^$]/g, "\\$&");
  return `(?i)${start ? "^" : ""}${escaped}${end ? "$" : ""}`;
}
