import { ALWAYS, and, NEVER, or, type Formula } from "./formula";
import type { Truth } from "./meaning";

/**
 * What `&&` or `||` between truths comes to. The first that decides does so; nil
 * fails but at the end of the chain, where it passes unless it is refused.
 */
export function logicTruth(
  operator: "&&" | "||",
  truths: readonly Truth[],
): Truth {
  const decides = operator === "||";
  const join = decides ? or : and;
  const last = truths.at(-1);
  if (!last) return { defined: ALWAYS, isNil: NEVER, holds: join() };
  let { defined } = last;
  for (const truth of truths.slice(0, -1).reverse()) {
    const decided = decides ? truth.holds : truth.holds.opposite;
    const ready = definite(truth);
    if (ready !== defined) defined = and(ready, or(decided, defined));
  }
  const holds = join(...truths.map((truth) => truth.holds));
  const others = truths.slice(0, -1).map((truth) => truth.holds);
  const isNil =
    last.isNil === NEVER
      ? NEVER
      : and(last.isNil, ...(decides ? others.map((o) => o.opposite) : others));
  return { defined, isNil, holds };
}

/** That a truth is neither a failure nor nil. */
export function definite({ defined, isNil }: Truth): Formula {
  return and(defined, isNil.opposite);
}

/** A truth whose nil is a failure. */
export function strict(truth: Truth): Truth {
  return { defined: definite(truth), isNil: NEVER, holds: truth.holds };
}

/** What `!` makes of a truth. */
export function notTruth(truth: Truth): Truth {
  return { ...strict(truth), holds: truth.holds.opposite };
}
