import fc from "fast-check";
import { networks } from "../language/random-literals";
import * as random from "../language/random-expression";
import {
  anyPattern,
  matchesOf,
  plainPattern,
} from "../language/random-patterns";
import { toldEvent } from "./told-events";

// `npm run warehouse:agree` asks about a million pairs; WAREHOUSE_SEED draws others.
const PAIRS = Number(process.env.WAREHOUSE_PAIRS ?? 20_000);
const seed = Number(process.env.WAREHOUSE_SEED ?? 20251120);

/** How long all pairs may take. */
export const TIMEOUT_MS = Math.max(240_000, PAIRS * 12);

/** Events that each expression is asked about. */
const EVENTS = 200;

/** Expressions of every operator and function, and events, whose pairs are compared. */
export function sampledPairs() {
  const sample = <Value>(of: fc.Arbitrary<Value>, numRuns: number) =>
    fc.sample(of, { numRuns: Math.ceil(numRuns), seed });
  // A part of the patterns and networks has mistakes, which are left out.
  const count = PAIRS / EVENTS / 2.5;
  const ofCases = (cases: fc.Arbitrary<{ readonly expression: string }>) =>
    cases.map(({ expression }) => expression);
  return {
    pairs: PAIRS,
    expressions: [
      ...sample(random.documented, count),
      ...sample(random.supported, count),
      ...sample(ofCases(matchesOf(fc.oneof(anyPattern, plainPattern))), count),
      ...sample(ofCases(networks), count),
    ],
    events: sample(toldEvent, EVENTS),
    notSent: new Set(["Referer", "X-A", "Origin"]),
  };
}
