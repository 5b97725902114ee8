import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { RuleHits } from "../store/records/activity";
import type { FilteringRuleRow } from "../store/records/filtering-rules";
import { badge, table, time } from "./elements";
import { html } from "./html";
import type { Section } from "./section";

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
  render: (context, regions) => {
    const rows = regions.flatMap((region) => rowsOf(context, region));
    if (rows.length === 0)
      return html`<p class="empty">
        There are no filtering rules: every request is let in.
      </p>`;
    return table("Rule hits", rows, [
      ["Workspace", ({ rule }) => rule.workspace],
      ["Environment", ({ rule }) => html`<code>${rule.environment}</code>`],
      [
        "Rule",
        ({ rule }) =>
          html`<b>${rule.name}</b>
            ${rule.status === "disabled" && badge("plain", "disabled")}`,
      ],
      [
        "Does",
        ({ rule }) =>
          badge(rule.action === "allow" ? "good" : "bad", rule.action),
      ],
      ["Where", ({ rule }) => html`<code>${rule.expression}</code>`],
      ["Hits", ({ hits }) => html`<b>${hits?.hits ?? 0}</b>`],
      ["Last hit", ({ hits }) => hits && time(hits.last)],
    ]);
  },
};

function rowsOf({ store }: Context, region: Region): Row[] {
  const hits = new Map(
    store.activity.ruleHits(region).map((hit) => [hit.rule, hit]),
  );
  return store.filteringRules
    .list(region, {})
    .map((rule) => ({ rule, hits: hits.get(rule.id) }));
}
