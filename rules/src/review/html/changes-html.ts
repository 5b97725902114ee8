import type { RuleSetDiff } from "../../diff";
import {
  CHANGE_COLUMNS,
  changeCells,
  effectMarkup,
} from "../../report/change-cells";
import {
  describeOthers,
  describePlan,
  describeRuleSet,
  hasOwnChanges,
} from "../describe-plan";
import { describeChanges } from "../describe-verdict";
import { isAbsent, type Review } from "../review";
import { codeHtml, Markup, markup, quote } from "./markup";

/** What the file changes. */
export function changesHtml({ base, diff }: Review): Markup | undefined {
  if (isAbsent(diff))
    return markup`<section><h2>Changes</h2><p>Not compared: ${codeHtml(diff.absent)}</p></section>
`;
  if (diff.changes.length === 0) return undefined;
  const against = base.isMissing ? ", compared with no rules" : "";
  const effect = new Markup(effectMarkup(diff.effect, quote));
  return markup`<section><h2>Changes</h2>
<p>${describeChanges(diff)}${against}. In total: ${effect}.</p>
${changesTable(diff)}</section>
`;
}

/** What the deployment does: what of that the file does not say, each rule set, and what else. */
export function planHtml(review: Review): Markup | undefined {
  const { plan } = review;
  if (plan === undefined) return undefined;
  if (isAbsent(plan))
    return markup`<section><h2>Plan</h2><p>Not known: ${codeHtml(plan.absent)}</p></section>
`;
  const { differences, ruleSets } = plan;
  const others = describeOthers(plan, quote);
  return markup`<section><h2>Plan</h2>
<p>${new Markup(describePlan(plan, quote))}</p>
${
  differences.length === 0
    ? undefined
    : markup`<ul>
${differences.map(
  (difference) => markup`<li>${codeHtml(difference)}</li>
`,
)}</ul>
`
}${ruleSets.map(
    (
      ruleSet,
    ) => markup`<p>${new Markup(describeRuleSet(ruleSet, review, quote))}</p>
${hasOwnChanges(ruleSet, review) ? changesTable(ruleSet.diff) : undefined}`,
  )}${
    others === ""
      ? undefined
      : markup`<p>${new Markup(others)}</p>
`
  }</section>
`;
}

function changesTable({ changes }: RuleSetDiff): Markup {
  return markup`<div class="scroll"><table class="changes">
<tr>${CHANGE_COLUMNS.map((column) => markup`<th>${column}</th>`)}</tr>
${changes.map(
  (
    change,
  ) => markup`<tr>${changeCells(change, quote).map((cell) => markup`<td>${new Markup(cell)}</td>`)}</tr>
`,
)}</table></div>`;
}
