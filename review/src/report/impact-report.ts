import {
  count,
  describeRange,
  firstOf,
  grouped,
  shortened,
  code,
  list,
  sentences,
  text,
  fold,
  table,
  type Block,
  type Cell,
  type Column,
  type Prose,
  printMarkdown,
  printText,
} from "@devid/rules/internals";
import type { DiffNames } from "@devid/rules";
import {
  CHANGED_OUTCOMES,
  type Attribute,
  type Change,
  type Estimate,
  type Impact,
  type RuleImpact,
  type TopValue,
} from "../replay/impact";
import {
  atMost,
  describeEstimate,
  describePart,
  describePercent,
  eventsOf,
  percentAtMost,
  undeterminedOf,
  withBounds,
} from "../replay/impact-numbers";
import { describeRows } from "../replay/row-counts";
import { listNames } from "../review/list-names";

/**
 * Formats an impact for a terminal: the names of the rule sets if they are
 * given, the number of events with each outcome, what each rule decides, and
 * who is newly denied and newly allowed.
 */
export const formatImpactText = (impact: Impact, names?: DiffNames): string =>
  printText(namedImpact(impact, names));

/** Formats an impact for a review comment, with the names of the rule sets if they are given. */
export const formatImpactMarkdown = (
  impact: Impact,
  names?: DiffNames,
): string => printMarkdown(namedImpact(impact, names));

const namedImpact = (impact: Impact, names?: DiffNames): Block[] => [
  ...text(names ? `${code(names.before)} -> ${code(names.after)}` : ""),
  ...impactBlocks(impact, true),
];

/** The number of values of an attribute that a brief report shows. */
const MOST_VALUES = 5;

/** Most missing fields of events that are named. */
const MOST_FIELDS = 10;

/** Characters of a field, a value of an event (on a page), and a value of a label. */
const LONGEST = { field: 120, value: 120, valueOnPage: 300, label: 60 };

/**
 * What the change would have done to past events.
 * @param isBrief as a terminal and a comment show it: fewer values, and no bounds of the
 * figures of rules
 */
export function impactBlocks(impact: Impact, isBrief: boolean): Block[] {
  const { newlyDenied, newlyAllowed, missing, periods, range } = impact;
  const fields = missing.map(
    ({ field, events }) =>
      `${code(shortened(field, LONGEST.field))} (${count(events, "event")})`,
  );
  const isUnseen = newlyAllowed === "not observable";
  return [
    ...text(sentences(`${describeEvents(impact)}.`, describeRows(impact.rows))),
    ...totals(impact),
    ...text(
      sentences(
        isUnseen ? NOT_OBSERVABLE : "",
        fields.length > 0
          ? `Undetermined events lack ${firstOf(fields, MOST_FIELDS).join(", ")}.`
          : "",
        describePossible(impact),
        describeAssumed(impact),
        describeLabels(impact),
      ),
    ),
    ...(periods.some((one) => one.deniedBefore > 0 || one.deniedAfter > 0)
      ? [{ kind: "chart" as const, periods, range }]
      : []),
    ...rulesBlocks(impact, isBrief),
    ...changeBlocks("newly denied", newlyDenied, impact, isBrief),
    ...(isUnseen
      ? []
      : changeBlocks("newly allowed", newlyAllowed, impact, isBrief)),
  ];
}

/** The outcomes of an impact, in the order in which a report shows them. */
const OUTCOMES = [
  ["newlyDenied", "newly denied"],
  ["newlyAllowed", "newly allowed"],
  ["unchanged", "unchanged"],
  ["cannotTell", "cannot tell"],
] as const;

/** Says why a report has no number of newly allowed events. */
const NOT_OBSERVABLE =
  "Newly allowed events are not observable: the rules in force deny none of these events.";

function totals(impact: Impact): Block[] {
  const all = eventsOf(impact).value;
  const rows = OUTCOMES.map(([outcome, name]): Cell[] => {
    if (outcome === "newlyAllowed" && impact.newlyAllowed === "not observable")
      return [name, "", "unknown", ""];
    const estimate = impact.total[outcome];
    const { value } = estimate;
    return [
      name,
      [{ value, of: all }],
      withBounds(estimate),
      describePart(value, all),
    ];
  });
  return table(
    ["Events", "", number(impact.sample ? "About" : "Number"), number("Share")],
    rows,
    "outcomes",
  );
}

const number = (name: string): Column => ({ name, isNumber: true });

/**
 * Says how many events may be newly denied or newly allowed, in a sentence for each;
 * empty if no event is undetermined.
 */
function describePossible(impact: Impact): string {
  return CHANGED_OUTCOMES.filter(
    (outcome) => undeterminedOf(outcome, impact).value > 0,
  )
    .map((outcome) => {
      const most = impact.possible[outcome];
      const share = describePercent(percentAtMost(most, impact));
      const what = outcome === "newlyDenied" ? "denied" : "allowed";
      return `Counting undetermined events, up to ${grouped(atMost(most))} (${share}) are newly ${what}.`;
    })
    .join(" ");
}

/** Says which headers count as missing; empty if there are none. */
const describeAssumed = ({ assumedNotSent }: Impact): Prose =>
  assumedNotSent.length === 0
    ? ""
    : `Assumed not sent where an event lacks them: ${listNames(assumedNotSent, code)}.`;

const MOST_LABELLED = 5;

/**
 * Counts each value of a label among the newly denied events, the newly allowed events
 * and all events. Empty if no label was requested.
 */
function describeLabels({ labels, sample }: Impact): Prose {
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
      .map((row) => {
        const value =
          "isOthers" in row
            ? "another value"
            : row.value === undefined
              ? "not set"
              : code(shortened(row.value, LONGEST.label));
        return `${value} for ${grouped(row[outcome])} (${describePart(row[outcome], all)})`;
      });
    const what = OUTCOMES.find(([name]) => name === outcome)?.[1];
    const whose = what === undefined ? "all" : `the ${grouped(all)} ${what}`;
    const events = sample ? "events of the sample" : "events";
    return [
      `Of ${whose} ${events}, ${code(labels.by)} is ${firstOf(shown, MOST_LABELLED).join(", ")}.`,
    ];
  };
  return [...of("newlyDenied"), ...of("newlyAllowed"), ...of("events")].join(
    " ",
  );
}

/** Says how many events were replayed, and from which time. */
function describeEvents({ events, range, sample }: Impact): string {
  const time = describeRange(range);
  if (!sample) return `${count(events, "event")} ${time}`;
  const percent = Math.round(100 * sample.confidence);
  return `A sample of ${count(events, "event")} of ${describeEstimate(sample.of)} ${time}; the bounds in brackets hold with ${percent}% confidence`;
}

const BARS: Column = { name: "", isPicture: true };

const RULE_COLUMNS = [
  "Rule",
  "Action",
  number("Decides now"),
  number("Would decide"),
  BARS,
  ...["Newly denied", "Newly allowed", "Cannot tell"].map(number),
];

/**
 * The events that each rule decides. A rule of both sets whose row would be all zeros is
 * only counted: it may decide events, but no event for certain, and no event otherwise
 * than before. Of a new rule, zeros say that it would decide nothing.
 */
function rulesBlocks({ rules }: Impact, isBrief: boolean): Block[] {
  const listed = rules.filter(
    (rule) =>
      rule.before === "absent" ||
      numbersOf(rule).some(({ value }) => value > 0),
  );
  const others = rules.length - listed.length;
  const largest = Math.max(
    0,
    ...listed.flatMap(({ decidedBefore, decidedAfter }) => [
      decidedBefore.value,
      decidedAfter.value,
    ]),
  );
  const rows = listed.map((rule): Cell[] => {
    const numbers = numbersOf(rule).map((number) =>
      isBrief ? grouped(number.value) : withBounds(number),
    );
    const bars = [
      { value: rule.decidedBefore.value, of: largest, isBefore: true as const },
      { value: rule.decidedAfter.value, of: largest },
    ];
    return [
      code(rule.name),
      describeAction(rule),
      ...numbers.slice(0, 2),
      bars,
      ...numbers.slice(2),
    ];
  });
  return [
    ...table(RULE_COLUMNS, rows, "rules", "rules"),
    ...(others === 0 ? [] : text(describeUnlistedRules(others), true)),
  ];
}

const numbersOf = (rule: RuleImpact): readonly Estimate[] => [
  rule.decidedBefore,
  rule.decidedAfter,
  rule.outcomes.newlyDenied,
  rule.outcomes.newlyAllowed,
  rule.outcomes.cannotTell,
];

/** Describes a rule's action in both rule sets: `deny`, `deny -> allow`, `deny (new)`. */
function describeAction({ before, after }: RuleImpact): string {
  const [was, is] = [before, after].map((action) =>
    action === "disabled" ? "off" : action,
  );
  if (before === "absent") return `${is} (new)`;
  if (after === "absent") return `${was} (gone)`;
  return before === after ? `${is}` : `${was} -> ${is}`;
}

function describeUnlistedRules(others: number): string {
  return others === 1
    ? "1 other rule surely decides none of these events, and changes none."
    : `${grouped(others)} other rules surely decide none of these events, and change none.`;
}

const ATTRIBUTE_NAMES: Readonly<Record<Attribute, string>> = {
  origin: "origin",
  country: "country",
  asn: "network (ASN)",
  userAgent: "user agent",
  linkedId: "linked ID",
};

/** What the events of a change have in common; none if there are no events. */
function changeBlocks(
  what: string,
  change: Change,
  { sample, suspectThreshold }: Impact,
  isBrief: boolean,
): Block[] {
  const { events, top, examples } = change;
  if (events === 0) return [];
  const attributes = Object.keys(ATTRIBUTE_NAMES) as Attribute[];
  const longest = isBrief ? LONGEST.value : LONGEST.valueOnPage;
  const rows = attributes.flatMap((attribute) =>
    top[attribute]
      .slice(0, isBrief ? MOST_VALUES : Infinity)
      .map((value, i): Cell[] => [
        i === 0 ? ATTRIBUTE_NAMES[attribute] : "",
        value.value === undefined
          ? "(none)"
          : code(shortened(value.value, longest)),
        [{ value: value.events, of: events }],
        describeCount(value, change),
      ]),
  );
  const of = sample ? " of the sample" : "";
  const facts = [
    `bots: ${describeBots(change)}`,
    `suspect score: ${describeSuspects(change, suspectThreshold)}`,
    `for example ${examples.map(code).join(", ")}`,
  ];
  const columns = [
    "Attribute",
    { name: "Value", isCut: true as const },
    BARS,
    number("Events"),
  ];
  return fold(
    `${count(events, "event")}${of} ${what}`,
    [...list(facts, "lines"), ...table(columns, rows, "values", "values")],
    "text",
    "page",
  );
}

const describeBots = ({ bots, badBots, events }: Change): string =>
  `${grouped(bots)} (${describePart(bots, events)}), of which bad: ${grouped(badBots)} (${describePart(badBots, events)})`;

const describeSuspects = (
  { suspect: { events, scored } }: Change,
  threshold: number,
): string =>
  scored === 0
    ? "no event has one"
    : `above ${threshold}: ${grouped(events)} of the ${grouped(scored)} with one (${describePart(events, scored)})`;

const describeCount = (
  { events, atMost: most }: TopValue,
  change: Change,
): string =>
  most === undefined
    ? `${grouped(events)} (${describePart(events, change.events)})`
    : `${grouped(events)} to ${grouped(most)}`;
