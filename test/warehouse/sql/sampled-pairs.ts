import fc from "fast-check";
import { checkExpression } from "../../../rules/src/language";
import { networks } from "../../rules/language/random-literals";
import * as random from "../../rules/language/random-expression";
import {
  anyPattern,
  matchesOf,
  plainPattern,
} from "../../rules/language/random-patterns";
import { toldEvent } from "./told-events";

// `npm run warehouse:agree` asks a million pairs or more; WAREHOUSE_SEED draws others.
const PAIRS = Number(process.env.WAREHOUSE_PAIRS ?? 20_000);
const SEED = Number(process.env.WAREHOUSE_SEED ?? 20251120);

/** How long all pairs may take. */
export const TIMEOUT_MS = Math.max(240_000, PAIRS * 12);

/** Events that each expression is asked about. */
const EVENTS = 200;

/** A few expressions are drawn beyond the pairs: a dialect may refuse one of a hundred. */
const SPARE = 1.02;

/** Expressions of every operator and function, and events, whose pairs are compared. */
export function sampledPairs({ pairs = PAIRS, seed = SEED } = {}) {
  const ofCases = (cases: fc.Arbitrary<{ readonly expression: string }>) =>
    cases.map(({ expression }) => expression);
  // A part of the patterns and networks has mistakes.
  const valid = (expressions: fc.Arbitrary<string>) =>
    expressions.filter((one) => checkExpression(one).ok);
  const kinds = [
    random.documented,
    random.supported,
    ofCases(matchesOf(fc.oneof(anyPattern, plainPattern))),
    ofCases(networks),
  ];
  const numRuns = Math.ceil((pairs / EVENTS / kinds.length) * SPARE) + 1;
  return {
    pairs,
    expressions: kinds.flatMap((kind) =>
      fc.sample(valid(kind), { numRuns, seed }),
    ),
    events: fc.sample(toldEvent, { numRuns: EVENTS, seed }),
    notSent: new Set(["Referer", "X-A", "Origin"]),
  };
}
