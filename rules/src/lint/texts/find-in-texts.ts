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

/** What each check believes of a comparison. The first claim that is proven is reported. */
const CHECKS: readonly (readonly [
  code: string,
  check: (
    comparison: TextComparison,
  ) => TextClaim | undefined | readonly TextClaim[],
])[] = [
  ["pattern-typo", patternTypo],
  ["never-sent", neverSent],
  ["version-order", versionOrder],
  ["matches-others", matchesOthers],
  ["matches-others", alsoMeant],
];

const findings = onceFor((set: LintedSet) =>
  onceFor((rule: LintedRule): (LintResult & { readonly code: string })[] =>
    rule.comparisons.flatMap((comparison) => {
      if (set.isOver) return [];
      for (const [code, check] of CHECKS)
        for (const claim of [check(comparison) ?? []].flat()) {
          const found = proven(claim, comparison, rule, set);
          if (found) return [{ code: claim.code ?? code, ...found }];
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
