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

/** What an expression says, or how the message begins of what is wrong with it. */
export type Answer = boolean | string;

/** An expression and what comes of it. */
export interface Example {
  readonly expression: string;
  /** Whether the checker lets it through; it is evaluated then. */
  readonly checks: boolean;
  /** For each of the two requests. */
  readonly answers: readonly [Answer, Answer];
}

/** The header names and values of a request. */
export const H = "http.request.headers";

/** The message of an element that is not there. */
export const ABSENT = "there is no such element";

/** The message of nil where a value is needed. */
export const NIL = "this is nil";

/** An expression that checks, and its answers to the two requests. */
export function row(
  expression: string,
  first: Answer,
  second: Answer = first,
): Example {
  return { expression, checks: true, answers: [first, second] };
}

/** An expression that the checker refuses, and how its first message begins. */
export function mistake(expression: string, message: string): Example {
  return { expression, checks: false, answers: [message, message] };
}
