import type {
  Attribute,
  Change,
  Impact,
  RuleImpact,
} from "../../replay/impact";
import { count, grouped, cutColumns, padColumns } from "@devid/rules/internals";
import {
  describePart,
  eventsOf,
  withBounds,
} from "../../replay/impact-numbers";
import { describeRows } from "../../replay/row-counts";
import { type DiffNames, columnsOf, visibleText, wrap } from "@devid/rules";
import {
  ATTRIBUTE_NAMES,
  describeAction,
  describeAssumed,
  describeBots,
  describeCount,
  describeEvents,
  describeLabels,
  describePossible,
  describeUnlistedRules,
  describeSuspects,
  listedRules,
  MOST_VALUES,
  NOT_OBSERVABLE,
  numbersOf,
  OUTCOMES,
} from "../describe/describe-impact";

const WIDTH = 80;
const BAR_WIDTH = 20;
const LABEL_WIDTH = 15;
const NAME_WIDTH = 20;
const ACTION_WIDTH = 13;
const NUMBER_WIDTH = 8;

/**
 * Formats an impact for a terminal: the names of the rule sets if they are
 * given, the number of events with each outcome, what each rule decides, and
 * who is newly denied and newly allowed. Lines have at most 80 columns if no
 * word is longer. The result ends with a newline.
 */
export function formatImpactText(impact: Impact, names?: DiffNames): string {
  const { newlyDenied, newlyAllowed } = impact;
  const title = names && visibleText(`${names.before} -> ${names.after}`);
  const parts = [
    title === undefined ? "" : wrap("", title, "  "),
    wrap("", `${describeEvents(impact)}.`),
    wrap("", describeRows(impact.rows, visibleText)),
    totalText(impact),
    boundsText(impact),
    rulesText(impact),
    missingText(impact),
    changeText("newly denied", newlyDenied, impact),
    newlyAllowed === "not observable"
      ? ""
      : changeText("newly allowed", newlyAllowed, impact),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function totalText(impact: Impact): string {
  const all = eventsOf(impact).value;
  const isUnseen = impact.newlyAllowed === "not observable";
  const rows = OUTCOMES.map(([outcome, name]) => {
    if (outcome === "newlyAllowed" && isUnseen) return { name };
    const estimate = impact.total[outcome];
    const part = describePart(estimate.value, all);
    return { name, estimate, number: withBounds(estimate), part };
  });
  const widest = (of: "number" | "part") =>
    Math.max(...rows.map((row) => row[of]?.length ?? 0));
  const barWidth = impact.sample ? BAR_WIDTH / 2 : BAR_WIDTH;
  return rows
    .map(({ name, estimate, number = "", part = "" }) => {
      const label = name.padEnd(LABEL_WIDTH);
      if (!estimate) return label + NOT_OBSERVABLE;
      const columns = [
        label + bar(estimate.value, all, barWidth).padEnd(barWidth),
        number.padStart(widest("number")),
        part.padStart(widest("part")),
      ];
      return columns.join("  ");
    })
    .join("\n");
}

function boundsText(impact: Impact): string {
  const sentences = [
    describePossible(impact),
    describeAssumed(impact, visibleText),
    describeLabels(impact, visibleText),
  ];
  return wrap("", sentences.filter((text) => text !== "").join(" "));
}

function rulesText(impact: Impact): string {
  const { listed, others } = listedRules(impact);
  const rest = others > 0 ? [describeUnlistedRules(others)] : [];
  if (listed.length === 0) return rest.join("");
  const head = (name: string, action: string, ...titles: string[]) =>
    row(name, action, titles);
  return [
    head("", "", "decides", "would", "newly", "newly", "cannot"),
    head("rule", "action", "now", "decide", "denied", "allowed", "tell"),
    ...listed.map(ruleText),
    ...rest,
  ].join("\n");
}

function ruleText(rule: RuleImpact): string {
  const numbers = numbersOf(rule).map(({ value }) => grouped(value));
  const name = visibleText(rule.name);
  return columnsOf(name) <= NAME_WIDTH
    ? row(name, describeAction(rule), numbers)
    : `${wrap("", name, "  ")}\n${row("", describeAction(rule), numbers)}`;
}

function row(name: string, action: string, cells: readonly string[]): string {
  const columns = [
    padColumns(name, NAME_WIDTH),
    action.padEnd(ACTION_WIDTH),
    ...cells.map((cell) => cell.padStart(NUMBER_WIDTH)),
  ];
  return columns.join(" ").trimEnd();
}

function missingText({ missing }: Impact): string {
  if (missing.length === 0) return "";
  const fields = missing.map(
    ({ field, events }) => `${visibleText(field)} (${count(events, "event")})`,
  );
  return wrap("", `Undetermined events lack ${fields.join(", ")}.`);
}

function changeText(
  what: string,
  change: Change,
  { sample, suspectThreshold }: Impact,
): string {
  if (change.events === 0) return "";
  const of = sample ? " of the sample" : "";
  const line = (label: string, text: string) =>
    wrap(`  ${label.padEnd(LABEL_WIDTH)}`, text);
  return [
    `${count(change.events, "event")}${of} ${change.events === 1 ? "is" : "are"} ${what}:`,
    line("bots", describeBots(change)),
    line("suspect score", describeSuspects(change, suspectThreshold)),
    ...(Object.keys(ATTRIBUTE_NAMES) as Attribute[]).flatMap((attribute) =>
      topText(attribute, change),
    ),
    line("for example", visibleText(change.examples.join(", "))),
  ].join("\n");
}

function topText(attribute: Attribute, change: Change): string[] {
  return change.top[attribute].slice(0, MOST_VALUES).map((top, i) => {
    const label = i === 0 ? ATTRIBUTE_NAMES[attribute] : "";
    const amount = describeCount(top, change);
    const width = WIDTH - 2 - LABEL_WIDTH - amount.length;
    const value = cutColumns(visibleText(top.value ?? "(none)"), width - 1);
    return `  ${label.padEnd(LABEL_WIDTH)}${padColumns(value, width)}${amount}`;
  });
}

/** The block characters for 0 to 7 eighths. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/**
 * Draws a share as a bar of at most `width` block characters; every share above
 * 0 is visible.
 */
export function bar(part: number, all: number, width: number): string {
  if (part <= 0 || all <= 0) return "";
  const eighths = Math.min(Math.round((part / all) * width * 8), width * 8);
  const shown = Math.max(1, eighths);
  return "█".repeat(shown >> 3) + (EIGHTHS[shown & 7] ?? "");
}
