import type { Formula } from "./formula";
import { passes } from "./text-test";

/** Deepest formula that is followed. */
const MAX_DEPTH = 8;

/** What a formula says where one text of a request is known; undefined where it takes more. */
export function decide(
  formula: Formula,
  key: string,
  text: string,
  depth = 0,
): boolean | undefined {
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "number":
      return undefined;
    case "text":
      return formula.subject.key === key
        ? passes(formula.test, text) === formula.result
        : undefined;
    case "and":
    case "or": {
      if (depth > MAX_DEPTH) return undefined;
      const deciding = formula.kind === "or";
      let isKnown = true;
      for (const part of formula.parts) {
        const said = decide(part, key, text, depth + 1);
        if (said === deciding) return deciding;
        if (said === undefined) isKnown = false;
      }
      return isKnown ? !deciding : undefined;
    }
  }
}
