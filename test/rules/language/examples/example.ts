import type { RuleRequest } from "../../../../rules/src/language";

/** Two requests that differ in nearly everything. */
export const requests: readonly RuleRequest[] = [
  {
    headers: {
      Origin: ["https://shop.example", "b"],
      "X-Empty": [],
      Emoji: ["\u{1f600}", "\uffff"],
    },
    ip: "203.0.113.5",
    userAgent: "Googlebot/2.1",
    sdkPlatform: "js",
    sdkVersion: "3.11.2",
    isCrawlerBot: true,
  },
  { headers: {}, ip: "::ffff:10.1.2.3", sdkPlatform: "ios" },
];

/** The value of an expression, or the beginning of its error message. */
export type Answer = boolean | string;

/** An expression and its expected results. */
export interface Example {
  readonly expression: string;
  /** Whether the checker accepts the expression. Only then it is evaluated. */
  readonly checks: boolean;
  /** The result for each of the two requests. */
  readonly answers: readonly [Answer, Answer];
}

/** The header names and values of a request. */
export const H = "http.request.headers";

/** The message about a missing element. */
export const ABSENT = "there is no such element";

/** The message about nil where a value is needed. */
export const NIL = "this is nil";

/** An expression that the checker accepts, and its answers to the two requests. */
export function row(
  expression: string,
  first: Answer,
  second: Answer = first,
): Example {
  return { expression, checks: true, answers: [first, second] };
}

/** An expression that the checker refuses, and the beginning of its first message. */
export function mistake(expression: string, message: string): Example {
  return { expression, checks: false, answers: [message, message] };
}
