import type { Region } from "@devid/sdk";
import type { RuleHits } from "../store/activity";
import type { FilteringRuleRow } from "../store/schema";
import { badge, cutOff, ruleName, short, table, time } from "./html/elements";
import { markup, type Markup } from "@devid/review/internals";
import { rulePlaygroundPath } from "./rule-playground/rule-playground-path";
import type { Section, Shown } from "./section";

/** How many rules of a workspace are shown. */
const MOST = 50;

interface Row {
  readonly rule: FilteringRuleRow;
  /** Name of the rule's environment. */
  readonly environment: string;
  readonly hits: RuleHits | undefined;
  /** From when on its hits are counted. */
  readonly since: string;
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
    return markup`${
      rows.length === 0
        ? markup`<p class="empty">
              There are no filtering rules: every request is let in.
            </p>`
        : hitsTable(rows)
    }${left.map(
      ({ region, count }) =>
        markup`<p>
            ${count} more rules of ${region} are not shown here;
            <code>GET /management/filtering-rules</code> lists all.
          </p>`,
    )}
      <p>
        Try a request, or changed rules on past events: rule playground of
        ${regions.map((region) => markup` <a href="${rulePlaygroundPath(region)}">${region}</a>`)}
      </p>`;
  },
};

function hitsTable(rows: readonly Row[]): Markup {
  return table("Rule hits", rows, [
    ["Workspace", ({ rule }) => rule.workspace],
    ["Environment", ({ environment }) => short(environment)],
    [
      "Rule",
      ({ rule }) =>
        markup`${ruleName(rule.name)}
        ${rule.status === "disabled" && badge("plain", "disabled")}`,
    ],
    [
      "Does",
      ({ rule }) =>
        badge(rule.action === "allow" ? "good" : "bad", rule.action),
    ],
    [
      "Where",
      ({ rule }) =>
        markup`<code>${short(rule.expression)}</code> ${wholeOf(rule)}`,
      "long",
    ],
    ["Hits", ({ hits }) => markup`<b>${hits?.hits ?? 0}</b>`],
    ["Since", ({ since }) => time(since)],
    ["Last hit", ({ hits }) => hits && time(hits.last)],
  ]);
}

/** Where the whole expression of a rule is, if it is too long for its row. */
function wholeOf({ workspace, environment, expression }: FilteringRuleRow) {
  return (
    cutOff(expression) &&
    markup`<small
      ><a href="${rulePlaygroundPath(workspace, { environment })}"
        >all ${expression.length} characters</a
      ></small
    >`
  );
}

function rowsOf({ store }: Shown, region: Region): Row[] {
  const keyOf = (
    parts: Pick<RuleHits, "environment" | "name" | "expression">,
  ) => JSON.stringify([parts.environment, parts.name, parts.expression]);
  const hits = new Map(
    store.activity.ruleHits(region).map((hit) => [keyOf(hit), hit]),
  );
  const isCut = store.decisions.droppedThrough(region) > 0;
  const kept = isCut ? (store.activity.firstDecision(region) ?? "") : "";
  const rows: Row[] = [];
  // By environment, the rules are found in their order.
  const { rows: environments } = store.environments.page(
    region,
    {},
    { after: 0 },
    MOST,
  );
  for (const { id, name } of environments)
    for (const rule of store.filteringRules.list(
      region,
      { environment: id },
      MOST - rows.length,
    )) {
      const own = hits.get(keyOf(rule));
      rows.push({
        rule,
        environment: name,
        hits: own,
        since: countedSince(rule, own, kept),
      });
    }
  return rows;
}

/**
 * From when on the hits of a rule are counted: its creation, or the first hit of a
 * rule that it has replaced, but not before the oldest decision that is kept.
 */
function countedSince(
  { created_at }: FilteringRuleRow,
  hits: RuleHits | undefined,
  kept: string,
): string {
  const known =
    hits !== undefined && hits.first < created_at ? hits.first : created_at;
  return known < kept ? kept : known;
}
