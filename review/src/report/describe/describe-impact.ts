import type {
  Attribute,
  Change,
  Estimate,
  Impact,
  RuleImpact,
  TopValue,
} from "../../replay/impact";
import {
  count,
  describeRange,
  grouped,
  shortened,
} from "@devid/rules/internals";
import {
  atMost,
  describeEstimate,
  describePart,
  describePercent,
  percentAtMost,
  undeterminedOf,
} from "../../replay/impact-numbers";
import { listNames } from "../../review/list-names";

/** The outcomes of an impact, in the order in which a report shows them. */
export const OUTCOMES = [
  ["newlyDenied", "newly denied"],
  ["newlyAllowed", "newly allowed"],
  ["unchanged", "unchanged"],
  ["cannotTell", "cannot tell"],
] as const;

/** Says why a report has no number of newly allowed events. */
export const NOT_OBSERVABLE =
  "not observable: the rules in force deny none of these events";

/** The names of attributes in a report. */
export const ATTRIBUTE_NAMES: Readonly<Record<Attribute, string>> = {
  origin: "origin",
  country: "country",
  asn: "network (ASN)",
  userAgent: "user agent",
  linkedId: "linked ID",
};

/** The number of values of an attribute that a report shows. */
export const MOST_VALUES = 5;

/**
 * Says how many events may be newly denied or newly allowed, in a sentence for each;
 * empty if no event is undetermined.
 */
export function describePossible(impact: Impact): string {
  const outcomes = ["newlyDenied", "newlyAllowed"] as const;
  return outcomes
    .filter((outcome) => undeterminedOf(outcome, impact).value > 0)
    .map((outcome) => {
      const most = impact.possible[outcome];
      const share = describePercent(percentAtMost(most, impact));
      const what = outcome === "newlyDenied" ? "denied" : "allowed";
      return `Counting undetermined events, up to ${grouped(atMost(most))} (${share}) are newly ${what}.`;
    })
    .join(" ");
}

/** Says which headers count as missing; empty if there are none. */
export function describeAssumed(
  { assumedNotSent }: Impact,
  shown: (name: string) => string,
): string {
  return assumedNotSent.length === 0
    ? ""
    : `Assumed not sent where an event lacks them: ${listNames(assumedNotSent, shown)}.`;
}

const MOST_LABELLED = 5;

/**
 * Counts each value of a label among the newly denied events, the newly allowed events
 * and all events. Empty if no label was requested.
 */
export function describeLabels(
  { labels, sample }: Impact,
  quote: (text: string) => string,
): string {
  if (labels === undefined) return "";
  const rows = [
    ...labels.values,
    ...(labels.others ? [{ ...labels.others, isOthers: true }] : []),
  ];
  const of = (outcome: "events" | "newlyDenied" | "newlyAllowed") => {
    const all = rows.reduce((sum, row) => sum + row[outcome], 0);
    if (all === 0) return [];
    const shown = rows
      .filter((row) => row[outcome] > 0)
      .slice(0, MOST_LABELLED)
      .map((row) => {
        const value =
          "isOthers" in row
            ? "another value"
            : row.value === undefined
              ? "not set"
              : quote(shortened(row.value, LONGEST_LABEL));
        return `${value} for ${grouped(row[outcome])} (${describePart(row[outcome], all)})`;
      });
    const what = OUTCOMES.find(([name]) => name === outcome)?.[1];
    const whose = what === undefined ? "all" : `the ${grouped(all)} ${what}`;
    const events = sample ? "events of the sample" : "events";
    return [
      `Of ${whose} ${events}, ${quote(labels.by)} is ${shown.join(", ")}.`,
    ];
  };
  return [...of("newlyDenied"), ...of("newlyAllowed"), ...of("events")].join(
    " ",
  );
}

/** Characters of a value of a label. */
const LONGEST_LABEL = 60;

/** Says how many events were replayed, and from which time. */
export function describeEvents({ events, range, sample }: Impact): string {
  const time = describeRange(range);
  if (!sample) return `${count(events, "event")} ${time}`;
  const percent = Math.round(100 * sample.confidence);
  return `A sample of ${count(events, "event")} of ${describeEstimate(sample.of)} ${time}; the bounds in brackets hold with ${percent}% confidence`;
}

/**
 * Describes a rule's action in both rule sets: `deny`, `deny -> allow`, `deny
 * (new)`.
 */
export function describeAction({ before, after }: RuleImpact): string {
  const [was, is] = [before, after].map((action) =>
    action === "disabled" ? "off" : action,
  );
  if (before === "absent") return `${is} (new)`;
  if (after === "absent") return `${was} (gone)`;
  return before === after ? `${is}` : `${was} -> ${is}`;
}

/**
 * The rules that a report lists, and the number of unlisted rules, whose row would be
 * all zeros. An unlisted rule may decide events, but no event for certain, and no event
 * otherwise than before.
 */
export function listedRules({ rules }: Impact): {
  readonly listed: readonly RuleImpact[];
  readonly others: number;
} {
  const listed = rules.filter((rule) =>
    numbersOf(rule).some(({ value }) => value > 0),
  );
  return { listed, others: rules.length - listed.length };
}

/** The headings of the numbers of a rule. */
export const RULE_NUMBERS: readonly string[] = [
  "Decides now",
  "Would decide",
  "Newly denied",
  "Newly allowed",
  "Cannot tell",
];

/** The numbers of events of a rule, in the order of `RULE_NUMBERS`. */
export const numbersOf = (rule: RuleImpact): readonly Estimate[] => [
  rule.decidedBefore,
  rule.decidedAfter,
  rule.outcomes.newlyDenied,
  rule.outcomes.newlyAllowed,
  rule.outcomes.cannotTell,
];

/** Says in a sentence how many rules are not listed. */
export function describeUnlistedRules(others: number): string {
  return others === 1
    ? "1 other rule surely decides none of these events, and changes none."
    : `${grouped(others)} other rules surely decide none of these events, and change none.`;
}

/** Says how many events of a change come from bots. */
export function describeBots({ bots, badBots, events }: Change): string {
  return `${grouped(bots)} (${describePart(bots, events)}), of which bad: ${grouped(badBots)} (${describePart(badBots, events)})`;
}

/**
 * Says how many events of a change have a suspect score above the threshold.
 */
export function describeSuspects(
  { suspect: { events, scored } }: Change,
  threshold: number,
): string {
  return scored === 0
    ? "no event has one"
    : `above ${threshold}: ${grouped(events)} of the ${grouped(scored)} with one (${describePart(events, scored)})`;
}

/** Says how many events of a change have a value. */
export function describeCount(
  { events, atMost }: TopValue,
  change: Change,
): string {
  return atMost === undefined
    ? `${grouped(events)} (${describePart(events, change.events)})`
    : `${grouped(events)} to ${grouped(atMost)}`;
}
