import { codeSpan } from "../../report/code-span";
import { tableRow } from "../../report/table-row";
import type { Attribute, Change, Impact, TopValue } from "../impact";
import {
  ATTRIBUTE_NAMES,
  describeBots,
  describeCount,
  describeSuspects,
  MOST_VALUES,
} from "./describe-impact";
import { count } from "./event-share";

/** In characters; what is longer ends in `...`. */
const LONGEST_VALUE = 120;

/** What the events of a change have in common, as a table; empty for no event. */
export function changeMarkdown(
  change: Change,
  { sample, suspectThreshold }: Impact,
): string {
  if (change.events === 0) return "";
  const of = sample ? " of the sample" : "";
  const tops = (Object.keys(ATTRIBUTE_NAMES) as Attribute[]).map(
    (attribute) => [
      ATTRIBUTE_NAMES[attribute],
      change.top[attribute]
        .slice(0, MOST_VALUES)
        .map((top) => `${valueOf(top)} ${describeCount(top, change)}`)
        .join("<br>"),
    ],
  );
  return [
    tableRow([`${count(change.events, "event")}${of}`, ""]),
    tableRow(["---", "---"]),
    tableRow(["bots", describeBots(change)]),
    tableRow(["suspect score", describeSuspects(change, suspectThreshold)]),
    ...tops.map(tableRow),
    tableRow(["for example", change.examples.map(codeSpan).join(", ")]),
  ].join("\n");
}

function valueOf({ value }: TopValue): string {
  if (value === undefined) return "none";
  const characters = [...value];
  return codeSpan(
    characters.length > LONGEST_VALUE
      ? `${characters.slice(0, LONGEST_VALUE - 3).join("")}...`
      : value,
  );
}
