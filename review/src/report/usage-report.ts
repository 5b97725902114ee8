import {
  count,
  grouped,
  code,
  list,
  sentences,
  text,
  fold,
  table,
  type Block,
  type Column,
  type Prose,
  printHtml,
  printText,
} from "@devid/rules/internals";
import { describePart } from "../replay/impact-numbers";
import { describeRows } from "../replay/row-counts";
import { listNames } from "../review/list-names";
import { isUnusedTerm, type RuleUsage, type Usage } from "../usage/usage";

/**
 * Formats a usage for a terminal: what each rule decided, the rules that decided
 * nothing and why, and the terms that decided nothing.
 *
 * @param name how the rule set is called
 * @param events which events were read, in words: `past events of Production (ae_1)`
 */
export const formatUsageText = (
  usage: Usage,
  name: string,
  events?: string,
): string => printText([titleOf(name, events), ...usageBlocks(usage)]);

/** Formats a usage as an HTML page that needs no network and runs no script. */
export const formatUsageHtml = (
  usage: Usage,
  name: string,
  events?: string,
): string => printHtml([titleOf(name, events), ...usageBlocks(usage)]);

const titleOf = (name: string, events?: string): Block => ({
  kind: "title",
  text: `Usage of ${code(name)}`,
  below: events === undefined ? [] : [`on ${code(events)}`],
});

/** What the rules of a set and their terms decided. */
export function usageBlocks(usage: Usage): Block[] {
  const { events, range, rules } = usage;
  const looked = sentences(
    `${count(events, "event")} from ${minute(range.start)} to ${minute(range.end)} UTC.`,
    describeRows(usage.rows),
  );
  if (events === 0)
    return [...text(looked), ...text("No past event was looked at.")];
  const largest = Math.max(0, ...rules.map(({ decided }) => decided));
  const idle = rules.filter(({ verdict }) => verdict !== "decides");
  const unused = rules.flatMap(({ name, terms }) =>
    terms
      .filter(isUnusedTerm)
      .map(({ term }) => `${code(name)}: ${code(term)}`),
  );
  return [
    ...text(sentences(looked, describeUnmatched(usage))),
    ...fold(
      "What each rule decided",
      table(
        COLUMNS,
        rules.map((rule) => rowOf(rule, events, largest)),
        "rules",
        "rules",
      ),
      "text",
      "page",
    ),
    ...listed(
      "Rules that decided none of these events, as far as is known:",
      idle.map((rule) => `${code(rule.name)}: ${describeIdle(rule)}`),
      "rules",
    ),
    ...listed(
      "Terms that decided nothing: without any one of them, every event is decided the same.",
      unused,
      "terms",
    ),
  ];
}

const listed = (title: string, items: readonly Prose[], noun: string) =>
  items.length === 0 ? [] : [...text(title), ...list(items, noun)];

const COLUMNS: readonly (Column | string)[] = [
  "Rule",
  "Action",
  { name: "Decided", isNumber: true },
  { name: "Share", isNumber: true },
  { name: "", isPicture: true },
  "First (UTC)",
  "Last (UTC)",
];

function rowOf(
  { name, verdict, action, decided, time }: RuleUsage,
  events: number,
  largest: number,
) {
  return [
    code(name),
    verdict === "disabled" ? "off" : action,
    grouped(decided),
    describePart(decided, events),
    [{ value: decided, of: largest }],
    ...(time ? [minute(time.first), minute(time.last)] : ["-", "-"]),
  ];
}

/** A time for people, UTC: `2026-11-20 14:00`. */
const minute = (time: string): string => time.slice(0, 16).replace("T", " ");

/** Says how many events no rule matched; empty if there are none. */
function describeUnmatched({ decidedByNone, events }: Usage): string {
  if (decidedByNone === 0) return "";
  return `${count(decidedByNone, "event")} (${describePart(decidedByNone, events)}) ${decidedByNone === 1 ? "is" : "are"} matched by no rule, and so let through.`;
}

/** Says why a rule decided nothing; empty if it decided something. */
function describeIdle(rule: RuleUsage): Prose {
  const { neverFilled } = rule;
  const reads =
    neverFilled.length === 0
      ? ""
      : ` It reads ${listNames(neverFilled, code)}, which no event fills.`;
  switch (rule.verdict) {
    case "decides":
      return "";
    case "disabled":
      return "It is disabled.";
    case "never":
      return `It matches none of them.${reads}`;
    case "overruled":
      return describeOverruled(rule);
    case "cannot tell":
      return `Undetermined for ${count(rule.mayHaveDecided, "event")}.${reads}`;
  }
}

/** `It matches 118, each of which a rule before it decides: allow-curl (118).` */
function describeOverruled({ matched, overruledBy }: RuleUsage): Prose {
  const by = overruledBy.map(
    ({ rule, events }) => `${code(rule)} (${grouped(events)})`,
  );
  const who = by.length === 0 ? "" : `: ${by.join(", ")}`;
  return `It matches ${grouped(matched)}, each of which a rule before it decides${who}.`;
}
