import {
  code,
  lines,
  text,
  type Block,
  printMarkdown,
  printText,
  visibleLines,
} from "@devid/rules/internals";
import type { Applied, AppliedResource } from "../review/applied";
import { scopeMarker } from "./review-marker";

const TITLES = {
  whole: "was applied",
  part: "was applied in part",
  nothing: "was not applied",
} as const;

const WHAT_NOW = {
  whole: "Everything that was reviewed is done.",
  part: "What is done stays, and the stack's state has it. What failed or was not done is still to do.",
  nothing: "No resource was changed.",
} as const;

const DONE = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
} as const;

const ORDER = ["failed", "not done", "done"] as const;

/**
 * Formats what a deployment did: as a comment that replaces the one of the last
 * deployment of the same file, environment and stack, as text, or as JSON. Resources
 * that failed come first.
 */
export function formatApplied(
  applied: Applied,
  format: "text" | "markdown" | "json",
): string {
  const { file, scope, extent, messages, inForce } = applied;
  const resources = ORDER.flatMap((outcome) =>
    applied.resources.filter((one) => one.outcome === outcome),
  );
  const reasons = [...resources.flatMap(reasonOf), ...messages];
  const stack =
    scope.stack === undefined ? "" : ` (stack ${code(scope.stack)})`;
  const blocks: Block[] = [
    {
      kind: "title",
      text: `${code(file)}${stack} ${TITLES[extent]}`,
      below: [WHAT_NOW[extent]],
    },
    {
      kind: "table",
      columns: [
        { name: "Resource" },
        { name: "Operation" },
        { name: "Outcome" },
      ],
      rows: resources.map(({ resource, operation, outcome }) => [
        code(resource),
        outcome === "done" ? DONE[operation] : operation,
        outcome,
      ]),
      noun: "resources",
    },
    ...lines(reasons.map(visibleLines), "messages"),
    ...text(
      typeof inForce === "string"
        ? `Rules in force: ${code(inForce)}`
        : `Which rules are in force is not known: ${code(inForce.absent)}`,
    ),
  ];
  switch (format) {
    case "json":
      return `${JSON.stringify(applied, undefined, 2)}\n`;
    case "text":
      return printText(blocks);
    case "markdown":
      return printMarkdown(blocks, {
        marker: scopeMarker("devid-apply", applied),
      });
  }
}

const reasonOf = ({ resource, message }: AppliedResource) =>
  message === undefined ? [] : [`${resource}: ${message}`];
