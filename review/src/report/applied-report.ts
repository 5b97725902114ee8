import {
  code,
  lines,
  text,
  table,
  type Block,
  printMarkdown,
} from "@devid/rules/internals";
import type { Review } from "../review/review";
import { scopeMarker } from "./review-marker";

/** The result of a deployment for one resource. */
export interface AppliedResource {
  /** `Webhook hook` */
  readonly resource: string;
  readonly operation: "create" | "update" | "replace" | "delete";
  /**
   * `not done`: planned, and not begun. `done before`: planned, and nothing was left to do,
   * as when a job runs again.
   */
  readonly outcome: "done" | "done before" | "failed" | "not done";
  /** Why it failed. */
  readonly message?: string;
}

/** What a deployment did. It is plain data, which JSON can hold. */
export interface Applied extends Pick<Review, "file" | "scope"> {
  /**
   * `whole`: everything was done; `part`: some resources were changed; `nothing`:
   * no resource was changed.
   */
  readonly extent: "whole" | "part" | "nothing";
  /** The resources that the deployment changed, or should have changed. */
  readonly resources: readonly AppliedResource[];
  /** Why the deployment stopped, if no resource has the reason. */
  readonly messages: readonly string[];
  /** Digest of the rules in force now, or why it is not known. */
  readonly inForce: string | { readonly absent: string };
}

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

const ORDER = ["failed", "not done", "done", "done before"] as const;

/**
 * Formats what a deployment did, as a comment that replaces the one of the last deployment
 * of the same file, environment and stack. Resources that failed come first.
 */
export function formatApplied(applied: Applied): string {
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
    ...table(
      ["Resource", "Operation", "Outcome"],
      resources.map(({ resource, operation, outcome }) => [
        code(resource),
        outcome === "done" ? DONE[operation] : operation,
        outcome,
      ]),
      "resources",
    ),
    ...lines(reasons, "messages"),
    ...text(
      typeof inForce === "string"
        ? `Rules in force: ${code(inForce)}`
        : `Which rules are in force is not known: ${code(inForce.absent)}`,
    ),
  ];
  return printMarkdown(blocks, {
    marker: scopeMarker("devid-apply", applied),
  });
}

const reasonOf = ({ resource, message }: AppliedResource) =>
  message === undefined ? [] : [`${resource}: ${message}`];
