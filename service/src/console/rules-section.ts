import type { Region } from "@devid/sdk";
import type { RuleHits } from "../store/records/activity";
import type { FilteringRuleRow } from "../store/records/filtering-rules";
import { badge, short, table, time } from "./elements";
import { html } from "./html";
import type { Section, Shown } from "./section";

/** How many rules of a workspace are shown. */
const MOST = 50;

interface Row {
  readonly rule: FilteringRuleRow;
  readonly hits: RuleHits | undefined;
}

/**
 * The rules in the order in which they are evaluated, and how often each
 * decided a request.
 */
export const RULES_SECTION: Section = {
  id: "rules",
  title: "Rule hits",
  render: (shown, regions) => {
    const rows = regions.flatMap((region) => rowsOf(shown, region));
    const left = regions
      .map((region) => ({
        region,
        count: shown.store.filteringRules.count(region) - MOST,
      }))
      .filter(({ count }) => count > 0);
    if (rows.length === 0)
      return html`<p class="empty">
        There are no filtering rules: every request is let in.
      </p>`;
    return html`${table("Rule hits", rows, [
      ["Workspace", ({ rule }) => rule.workspace],
      ["Environment", ({ rule }) => html`<code>${rule.environment}</code>`],
      [
        "Rule",
        ({ rule }) =>
          html`<b>${short(rule.name)}</b>
            ${rule.status === "disabled" && badge("plain", "disabled")}`,
      ],
      [
        "Does",
        ({ rule }) =>
          badge(rule.action === "allow" ? "good" : "bad", rule.action),
      ],
      ["Where", ({ rule }) => html`<code>${short(rule.expression)}</code>`],
      ["Hits", ({ hits }) => html`<b>${hits?.hits ?? 0}</b>`],
      ["Last hit", ({ hits }) => hits && time(hits.last)],
    ])}
    ${left.map(
      ({ region, count }) =>
        html`<p>
          ${count} more rules of ${region} are not shown here;
          <code>GET /management/filtering-rules</code> lists all.
        </p>`,
    )}`;
  },
};

function rowsOf({ store }: Shown, region: Region): Row[] {
  const hits = new Map(
    store.activity.ruleHits(region).map((hit) => [hit.rule, hit]),
  );
  const rules: FilteringRuleRow[] = [];
  // By environment, the rules are found in their order.
  for (const { id } of store.environments.list(region, { after: 0 }, MOST).rows)
    rules.push(
      ...store.filteringRules.list(
        region,
        { environment: id },
        MOST - rules.length,
      ),
    );
  return rules.map((rule) => ({ rule, hits: hits.get(rule.id) }));
}
