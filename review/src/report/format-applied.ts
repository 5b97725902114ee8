import type { Applied, AppliedResource } from "../review/applied";
import { visibleText, wrap, codeFence } from "@devid/rules";
import { code, tableRow } from "@devid/rules/internals";
import { scopeMarker } from "./markdown/review-marker";

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

const MOST_REASONS = 5;

/** The number of resources that a comment lists; those that failed come first. */
const MOST_RESOURCES = 100;

const ORDER = ["failed", "not done", "done"] as const;

/**
 * Formats what a deployment did: as a comment that replaces the one of the last
 * deployment of the same file, environment and stack, as text, or as JSON.
 */
export function formatApplied(
  applied: Applied,
  format: "text" | "markdown" | "json",
): string {
  const { file, scope, extent, messages, inForce } = applied;
  const resources = ORDER.flatMap((outcome) =>
    applied.resources.filter((one) => one.outcome === outcome),
  );
  const left = resources.length - MOST_RESOURCES;
  const digest = (quote: (text: string) => string) =>
    typeof inForce === "string"
      ? `Rules in force: ${quote(inForce)}`
      : `Which rules are in force is not known: ${quote(inForce.absent)}`;
  switch (format) {
    case "json":
      return `${JSON.stringify(applied, undefined, 2)}\n`;
    case "text":
      return `${[
        `${visibleText(file)} ${TITLES[extent]}`,
        ...resources.map((one) =>
          wrap("  - ", cellsOf(one, visibleText).join("; ")),
        ),
        ...[...resources.flatMap(reasonOf), ...messages].flatMap((text) =>
          linesOf(text)
            .split("\n")
            .map((line) => wrap("  ", line).trimEnd()),
        ),
        wrap("", WHAT_NOW[extent]),
        wrap("", digest(visibleText)),
      ].join("\n")}\n`;
    case "markdown": {
      const stack =
        scope.stack === undefined ? "" : ` (stack ${code(scope.stack)})`;
      const rows = resources.slice(0, MOST_RESOURCES);
      const table = [
        tableRow(["Resource", "Operation", "Outcome"]),
        tableRow(["---", "---", "---"]),
        ...rows.map((one) => tableRow(cellsOf(one, code))),
      ];
      return `${[
        scopeMarker("devid-apply", applied),
        `### ${code(file)}${stack} ${TITLES[extent]}`,
        WHAT_NOW[extent],
        ...(resources.length > 0 ? [table.join("\n")] : []),
        ...(left > 0 ? [`… and ${left} more.`] : []),
        ...[...rows.flatMap(reasonOf), ...messages]
          .slice(0, MOST_REASONS)
          .map((text) => codeFence(linesOf(text))),
        digest(code),
      ].join("\n\n")}\n`;
    }
  }
}

const linesOf = (text: string) =>
  text.split(/\r?\n/).map(visibleText).join("\n");

function cellsOf(
  { resource, operation, outcome }: AppliedResource,
  quote: (text: string) => string,
): string[] {
  return [
    quote(resource),
    outcome === "done" ? DONE[operation] : operation,
    outcome,
  ];
}

const reasonOf = ({ resource, message }: AppliedResource) =>
  message === undefined ? [] : [`${resource}: ${message}`];
