import fc from "fast-check";
import { checkExpression } from "@devid/rules/language";
import { networks } from "../../rules/language/random-literals";
import * as random from "../../rules/language/random-expression";
import {
  anyPattern,
  matchesOf,
  plainPattern,
} from "../../rules/language/random-patterns";
import { readEvent } from "./random-events";

/** The most time that the pairs of a test may take. */
export const TIMEOUT_MS = 240_000;

/** Events for each expression. */
const EVENTS = 200;

/** Expressions with every operator and function, and events. Every pair is compared. */
export function sampledPairs({ pairs = 20_000, seed = 20251120 } = {}) {
  const ofCases = (cases: fc.Arbitrary<{ readonly expression: string }>) =>
    cases.map(({ expression }) => expression);
  // Some of the patterns and networks are invalid.
  const valid = (expressions: fc.Arbitrary<string>) =>
    expressions.filter((one) => checkExpression(one).ok);
  const kinds = [
    random.documented,
    random.supported,
    ofCases(matchesOf(fc.oneof(anyPattern, plainPattern))),
    ofCases(networks),
  ];
  const numRuns = Math.ceil(pairs / EVENTS / kinds.length) + 1;
  return {
    pairs,
    expressions: kinds.flatMap((kind) =>
      fc.sample(valid(kind), { numRuns, seed }),
    ),
    events: fc.sample(readEvent, { numRuns: EVENTS, seed }),
    notSent: new Set(["Referer", "X-A", "Origin"]),
  };
}
