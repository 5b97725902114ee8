import { onceFor } from "../../once-for";
import type { TextComparison } from "../set/comparison";
import type { LintResult } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { alsoMeant } from "./also-meant";
import { matchesOthers } from "./matches-others";
import { neverSent } from "./never-sent";
import { patternTypo } from "./pattern-typos";
import { proven, type TextClaim } from "./text-claim";
import { versionOrder } from "./version-order";

/** What the checks believe of a comparison; the first claim that is proven is reported. */
const claimsOf = (comparison: TextComparison): readonly TextClaim[] =>
  [
    patternTypo(comparison),
    neverSent(comparison),
    versionOrder(comparison),
    ...matchesOthers(comparison),
    ...alsoMeant(comparison),
  ].filter((claim) => claim !== undefined);

const findings = onceFor((set: LintedSet) =>
  onceFor((rule: LintedRule): (LintResult & { readonly code: string })[] =>
    rule.comparisons.flatMap((comparison) => {
      if (set.isOver) return [];
      for (const claim of claimsOf(comparison)) {
        const found = proven(claim, comparison, rule, set);
        if (found) return [{ ...found, code: claim.code }];
      }
      return [];
    }),
  ),
);

/** Finds the mistakes of one code in the texts of a rule. */
export const findInTexts =
  (code: string) =>
  (rule: LintedRule, set: LintedSet): readonly LintResult[] =>
    findings(set)(rule).filter((found) => found.code === code);
