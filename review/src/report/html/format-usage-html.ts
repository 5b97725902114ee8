import type { Usage } from "../../usage/usage";
import {
  describeIdle,
  describeUnmatched,
  describeUsageEvents,
  IDLE_RULES,
  idleRules,
  UNUSED_TERMS,
  unusedTerms,
  usageCells,
} from "../describe/describe-usage";
import { visibleText } from "@devid/rules";
import { codeHtml, Markup, markup, quoteHtml, rowsHtml } from "./markup";
import { page } from "./page";
import { shareBar } from "./share-bar";
import { wideTable } from "./wide-table";

/** Formats a usage as an HTML page that needs no network and runs no script. */
export function formatUsageHtml(usage: Usage, name: string): string {
  return page(`Usage of ${visibleText(name)}`, [
    markup`<h1>Usage of ${codeHtml(name)}</h1>
`,
    usageHtml(usage),
  ]);
}

/** What the rules of a set and their terms decided. */
export function usageHtml(usage: Usage): Markup {
  const { rules } = usage;
  const events = markup`<p class="quiet">${describeUsageEvents(usage)}${usage.rows && "."}${rowsHtml(usage.rows)}</p>
`;
  if (usage.events === 0)
    return markup`${events}<p>No past event was looked at.</p>`;
  const largest = Math.max(0, ...rules.map(({ decided }) => decided));
  const rows = rules.map((rule) => {
    const cells = usageCells(rule, usage);
    const bar = shareBar(rule.decided, largest, "after");
    return [codeHtml(rule.name), ...cells.slice(0, 3), bar, ...cells.slice(3)];
  });
  return markup`${events}${wideTable("wide rules", COLUMNS, rows, [2, 3])}<p>${describeUnmatched(usage)}</p>
${idleHtml(usage)}${termsHtml(usage)}`;
}

const COLUMNS = [
  "Rule",
  "Action",
  "Decided",
  "Share",
  "",
  "First (UTC)",
  "Last (UTC)",
] as const;

function idleHtml(usage: Usage): Markup | undefined {
  const idle = idleRules(usage);
  if (idle.length === 0) return undefined;
  return markup`<h3>${IDLE_RULES}</h3>
<ul>${idle.map((rule) => markup`<li>${codeHtml(rule.name)}: ${new Markup(describeIdle(rule, quoteHtml))}</li>`)}</ul>
`;
}

function termsHtml(usage: Usage): Markup | undefined {
  const groups = unusedTerms(usage);
  if (groups.length === 0) return undefined;
  return markup`<h3>${UNUSED_TERMS}</h3>
${groups.map(
  ({ rule, unused }) => markup`<p>${codeHtml(rule)}</p>
<ul>${unused.map((term) => markup`<li>${codeHtml(term)}</li>`)}</ul>
`,
)}`;
}
