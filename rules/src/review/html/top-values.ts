import type { Attribute, Change, TopValue } from "../../replay";
import {
  ATTRIBUTE_NAMES,
  describeCount,
} from "../../replay/report/describe-impact";
import { shortened } from "../shortened";
import { bar } from "./bar";
import { codeHtml, markup, type Markup } from "./markup";

/** In characters. */
const LONGEST_VALUE = 300;

/** The most frequent values among the events of a change, a chart of bars for each attribute. */
export function topValues(change: Change): Markup {
  const attributes = Object.keys(ATTRIBUTE_NAMES) as Attribute[];
  const charts = attributes
    .filter((attribute) => change.top[attribute].length > 0)
    .map(
      (attribute) => markup`<div><h3>${ATTRIBUTE_NAMES[attribute]}</h3><table>
${change.top[attribute].map((top) => valueRow(top, change))}</table></div>
`,
    );
  return markup`<div class="tops">
${charts}</div>
`;
}

function valueRow(top: TopValue, change: Change): Markup {
  const name =
    top.value === undefined
      ? markup`<span class="quiet">none</span>`
      : codeHtml(shortened(top.value, LONGEST_VALUE));
  return markup`<tr><td>${name}${bar(top.events, change.events, "after")}</td><td class="number">${describeCount(top, change)}</td></tr>
`;
}
