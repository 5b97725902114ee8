import { count, grouped, type Quote } from "@devid/rules/internals";
import { describePart } from "../../replay/impact-numbers";
import { listNames } from "../../review/list-names";
import { isUnusedTerm, type RuleUsage, type Usage } from "../../usage/usage";

/** The heading of the section of a review. */
export const USAGE_TITLE = "Usage of the rules";

/** The heading of the terms that decided nothing. */
export const UNUSED_TERMS =
  "Terms that decided nothing: without any one of them, every event is decided the same.";

/** The heading of the rules that decided nothing. */
export const IDLE_RULES =
  "Rules that decided none of these events, as far as is known:";

/** Says how many events there were, and from which time. */
export function describeUsageEvents({ events, range }: Usage): string {
  return `${count(events, "event")} from ${minute(range.start)} to ${minute(range.end)} UTC`;
}

/** Says how many events no rule matched; empty if there are none. */
export function describeUnmatched({ decidedByNone, events }: Usage): string {
  if (decidedByNone === 0) return "";
  return `${count(decidedByNone, "event")} (${describePart(decidedByNone, events)}) ${decidedByNone === 1 ? "is" : "are"} matched by no rule, and so let through.`;
}

/** What a rule decided, as cells: action, events, share, first and last time. */
export const usageCells = (
  { verdict, action, decided, time }: RuleUsage,
  { events }: Usage,
): readonly string[] => [
  verdict === "disabled" ? "off" : action,
  grouped(decided),
  describePart(decided, events),
  ...(time ? [minute(time.first), minute(time.last)] : ["-", "-"]),
];

/** A time for people, UTC: `2026-11-20 14:00`. */
export const minute = (time: string): string =>
  time.slice(0, 16).replace("T", " ");

/** Says why a rule decided nothing; empty if it decided something. */
export function describeIdle(rule: RuleUsage, quote: Quote): string {
  const reads = unfilled(rule, quote);
  switch (rule.verdict) {
    case "decides":
      return "";
    case "disabled":
      return "It is disabled.";
    case "never":
      return `It matches none of them.${reads}`;
    case "overruled": {
      const by = rule.overruledBy.map(
        ({ rule: name, events }) => `${quote(name)} (${grouped(events)})`,
      );
      const who = by.length === 0 ? "" : `: ${by.join(", ")}`;
      return `It matches ${grouped(rule.matched)}, each of which a rule before it decides${who}.`;
    }
    case "cannot tell":
      return `Undetermined for ${count(rule.mayHaveDecided, "event")}.${reads}`;
  }
}

function unfilled({ neverFilled }: RuleUsage, quote: Quote): string {
  if (neverFilled.length === 0) return "";
  return ` It reads ${listNames(neverFilled, quote)}, which no event fills.`;
}

/** The rules with terms that decided nothing, and those terms. */
export const unusedTerms = ({
  rules,
}: Usage): readonly {
  readonly rule: string;
  readonly unused: readonly string[];
}[] =>
  rules
    .map(({ name, terms }) => ({
      rule: name,
      unused: terms.filter(isUnusedTerm).map(({ term }) => term),
    }))
    .filter(({ unused }) => unused.length > 0);

/** The rules that surely decided none of the events. */
export const idleRules = ({ rules }: Usage): readonly RuleUsage[] =>
  rules.filter(({ verdict }) => verdict !== "decides");
