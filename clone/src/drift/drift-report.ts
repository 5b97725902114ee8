import {
  code,
  diffBlocks,
  lines,
  list,
  printMarkdown,
  printText,
  text,
  type Block,
} from "@devid/rules/internals";
import { driftCount, type Drift, type DriftedResource } from "./drift";
import { objectLine } from "./object-summary";

const HEADINGS = {
  changed: "Changed in the workspace, by somebody else than the stack:",
  deleted: "Deleted in the workspace:",
  "not deployed":
    "The program and the workspace differ: not deployed, or changed by hand before the refresh:",
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
  "not deployed":
    "A deployment does what is not deployed. After a refresh, that also undoes changes by hand.",
  unmanaged:
    "An object in no state is deleted, declared and adopted with `adopt`, or named in the file of --allowed; --ours-only leaves all of them out.",
} as const;

/** The drift of a stack in a line: `shop/prod has drifted: 2 differences`. */
function titleOf(drift: Drift): string {
  const stack = code(drift.stack);
  const count = driftCount(drift);
  if (count > 0)
    return `${stack} has drifted: ${count} difference${count > 1 ? "s" : ""}`;
  return drift.notJudged.length > 0
    ? `${stack} has not drifted, as far as it can be judged`
    : `${stack} has not drifted`;
}

/** Formats the drift of a stack as text for a terminal of 80 columns, or as Markdown for an issue. */
export function formatDrift(drift: Drift, format: "text" | "markdown"): string {
  const blocks = driftBlocks(drift);
  return format === "text" ? printText(blocks) : printMarkdown(blocks);
}

function driftBlocks(drift: Drift): Block[] {
  const { resources, unmanaged, notJudged } = drift;
  const kinds = (["changed", "deleted", "not deployed"] as const).filter(
    (kind) => resources.some((one) => one.drift === kind),
  );
  const section = (title: string, items: readonly string[], noun: string) =>
    items.length === 0 ? [] : [...text(title), ...list(items, noun)];
  return [
    { kind: "title", text: titleOf(drift), below: [] },
    ...kinds.flatMap((kind) => {
      const of = resources.filter((one) => one.drift === kind);
      return [
        ...section(HEADINGS[kind], of.map(resourceLines), "resources"),
        ...of.flatMap(({ resource, rules }) =>
          rules
            ? [
                ...text(`The rules of ${code(resource)}:`),
                ...diffBlocks(rules, SIDES[kind]),
              ]
            : [],
        ),
      ];
    }),
    ...section(
      UNMANAGED,
      unmanaged.map((one) => code(objectLine(one))),
      "objects",
    ),
    ...section(
      NOT_JUDGED,
      notJudged.map(({ what, reason }) => code(`${what}: ${reason}`)),
      "objects",
    ),
    ...section(
      "What to do:",
      [
        ...kinds.map((kind) => WAYS_OUT[kind]),
        ...(unmanaged.length > 0 ? [WAYS_OUT.unmanaged] : []),
      ],
      "ways",
    ),
  ];
}

/** Formats why the drift of a stack cannot be judged, for an issue. */
export const formatFailedDrift = (message: string, stack: string): string =>
  printMarkdown([
    {
      kind: "title",
      text: `The drift of ${code(stack)} cannot be judged`,
      below: [],
    },
    ...lines([message], "messages"),
  ]);

/** A resource, its ID, what a deployment does (`Webhook "hook" wh_1: update`), and the properties that differ. */
function resourceLines(one: DriftedResource): string {
  const { resource, id, operation, drift, properties } = one;
  return [
    `${code(resource)}${id === undefined ? "" : ` ${code(id)}`}${drift === "not deployed" ? `: ${operation}` : ""}`,
    ...properties.map(
      ({ name, before, after }) =>
        `${code(name)}: ${code(before ?? "none")} -> ${code(after ?? "none")}`,
    ),
  ].join("\n");
}
