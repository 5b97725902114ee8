import type { Impact } from "../../replay";
import { changeMarkdown } from "../../replay/report/change-markdown";
import {
  describeOthers,
  listedRules,
} from "../../replay/report/describe-impact";
import {
  impactSummaryMarkdown,
  RULE_IMPACT_HEAD,
  ruleImpactRow,
} from "../../replay/report/format-impact-markdown";
import { isAbsent, type Review } from "../review";
import { shortened } from "../shortened";
import { code } from "./code";
import { foldedSection, type Section } from "./fit-sections";

/** Names of what events do not tell that are shown, and characters of each. */
const MOST_FIELDS = 10;
const LONGEST_FIELD = 120;

/** In characters, of a rule's name. */
const LONGEST_NAME = 400;

/** What the change would have done to past events, and folded to whom. */
export function impactSections({ impact }: Review): Section[] {
  const heading = "#### Past events";
  if (isAbsent(impact))
    return [
      {
        title: `${heading}\n\nNot looked at: ${code(impact.absent)}`,
        items: [],
        noun: "rules",
      },
    ];
  const { listed, others } = listedRules(impact);
  const rest = others > 0 ? `\n\n${describeOthers(others)}` : "";
  const summary = impactSummaryMarkdown(bounded(impact));
  return [
    {
      title: `${heading}\n\n${summary}${rest}`,
      open: RULE_IMPACT_HEAD,
      items: listed.map((rule) =>
        ruleImpactRow({ ...rule, name: shortened(rule.name, LONGEST_NAME) }),
      ),
      noun: "rules",
    },
    ...changeSection("Newly denied", impact.newlyDenied, impact),
    ...changeSection("Newly allowed", impact.newlyAllowed, impact),
  ];
}

function changeSection(
  title: string,
  change: Impact["newlyDenied"] | "not observable",
  impact: Impact,
): Section[] {
  if (change === "not observable" || change.events === 0) return [];
  const items = [changeMarkdown(change, impact)];
  return [foldedSection({ title, items, noun: "tables" })];
}

/** The impact without what would make its summary long. */
function bounded(impact: Impact): Impact {
  const missing = impact.missing
    .slice(0, MOST_FIELDS)
    .map(({ field, events }) => ({
      field: shortened(field, LONGEST_FIELD),
      events,
    }));
  return { ...impact, missing };
}
