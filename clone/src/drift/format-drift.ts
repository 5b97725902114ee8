import {
  codeFence,
  codeSpan,
  formatDiffMarkdown,
  formatDiffText,
  visibleText,
  wrap,
} from "@devid/rules";
import { driftCount, type Drift, type DriftedResource } from "./drift";
import { objectLine } from "./object-summary";

const HEADINGS = {
  changed: "Changed in the workspace, by somebody else than the stack:",
  deleted: "Deleted in the workspace:",
  "not deployed":
    "Not deployed: the program says so, and the workspace does not:",
} as const;

const UNMANAGED = "In the workspace, and in no state:";
const NOT_JUDGED = "Not judged:";

const SIDES = {
  changed: { before: "state", after: "workspace" },
  deleted: { before: "state", after: "workspace" },
  "not deployed": { before: "workspace", after: "program" },
} as const;

const WAYS_OUT = {
  changed:
    "A change that is to stay goes into the program; a deployment after a refresh undoes every other one.",
  deleted:
    "A deployment after a refresh makes deleted objects again, with other IDs and secrets.",
  "not deployed": "A deployment does what is not deployed.",
  unmanaged:
    "An object in no state is deleted, declared and adopted with `adopt`, or named in the file of --allowed.",
} as const;

/** The drift of a stack in a line: `shop/prod has drifted: 2 differences`. */
function titleOf(drift: Drift, stack: string): string {
  const count = driftCount(drift);
  if (count > 0)
    return `${stack} has drifted: ${count} difference${count > 1 ? "s" : ""}`;
  return drift.notJudged.length > 0
    ? `${stack} has not drifted, as far as it can be judged`
    : `${stack} has not drifted`;
}

/** Formats the drift of a stack as text for a terminal of 80 columns, or as Markdown for an issue. */
export function formatDrift(drift: Drift, format: "text" | "markdown"): string {
  const { resources, unmanaged, notJudged } = drift;
  const isText = format === "text";
  const quote = isText ? visibleText : codeSpan;
  const heading = (text: string) =>
    isText ? wrap("", text) : `**${text.replace(/:$/, "")}**\n`;
  const kinds = (["changed", "deleted", "not deployed"] as const).filter(
    (kind) => resources.some((one) => one.drift === kind),
  );
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [[heading(title), ...lines]] : [];
  const ways = [
    ...kinds.map((kind) => WAYS_OUT[kind]),
    ...(unmanaged.length > 0 ? [WAYS_OUT.unmanaged] : []),
  ].map((text) => (isText ? wrap("", text) : `- ${text}`));
  const sections = [
    ...kinds.map((kind) => [
      heading(HEADINGS[kind]),
      ...resources
        .filter((one) => one.drift === kind)
        .map((one) => (isText ? resourceText(one) : resourceMarkdown(one))),
    ]),
    ...section(
      UNMANAGED,
      unmanaged.map((one) => item(objectLine(one))),
    ),
    ...section(
      NOT_JUDGED,
      notJudged.map(({ what, reason }) => item(`${what}: ${reason}`)),
    ),
    ...(isText ? [ways] : section("What to do", ways)),
  ].filter((lines) => lines.length > 0);
  const title = `${isText ? "" : "### "}${titleOf(drift, quote(drift.stack))}`;
  return `${[title, ...sections.map((lines) => lines.join("\n"))].join("\n\n")}\n`;

  function item(text: string): string {
    return isText ? wrap("  ", visibleText(text), "    ") : `- ${quote(text)}`;
  }
}

/** Formats why the drift of a stack cannot be judged, for an issue. */
export function formatFailedDrift(
  message: string,
  stack: string | undefined,
): string {
  const of = stack === undefined ? "" : ` of ${codeSpan(stack)}`;
  const shown = message.split(/\r?\n/).map(visibleText).join("\n");
  return `### The drift${of} cannot be judged\n\n${codeFence(shown)}\n`;
}

/** A resource, its ID, and what a deployment does: `Webhook "hook" wh_1: update`. */
const nameOf = (
  { resource, id, operation, drift }: DriftedResource,
  quote: (text: string) => string,
) =>
  [
    quote(resource),
    id === undefined ? "" : ` ${quote(id)}`,
    drift === "not deployed" ? `: ${operation}` : "",
  ].join("");

function resourceText(one: DriftedResource): string {
  const { properties, rules, drift } = one;
  return [
    wrap("  ", nameOf(one, visibleText), "    "),
    ...properties.map(({ name, before, after }) =>
      wrap(
        "    ",
        `${name}: ${visibleText(before ?? "none")} -> ${visibleText(after ?? "none")}`,
        "      ",
      ),
    ),
    ...(rules
      ? [indented(formatDiffText(rules, SIDES[drift]).trimEnd(), "    ")]
      : []),
  ].join("\n");
}

function resourceMarkdown(one: DriftedResource): string {
  const { properties, rules, drift } = one;
  return [
    `- ${nameOf(one, codeSpan)}`,
    ...properties.map(
      ({ name, before, after }) =>
        `  - ${codeSpan(name)}: ${codeSpan(before ?? "none")} → ${codeSpan(after ?? "none")}`,
    ),
    ...(rules
      ? [
          "",
          indented(formatDiffMarkdown(rules, SIDES[drift]).trimEnd(), "  "),
          "",
        ]
      : []),
  ].join("\n");
}

const indented = (text: string, by: string) =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");
