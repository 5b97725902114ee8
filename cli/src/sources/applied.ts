import {
  kindOfType,
  nameOfUrn,
  RULE_SET,
  typeOfUrn,
} from "@devid/pulumi/state";
import type { Applied, AppliedResource } from "@devid/review";
import { z } from "zod";
import { resourceName, type EngineEvents } from "./engine-events";

/** The steps of a saved plan that change nothing in the service. */
const NO_CHANGE = new Set([
  "same",
  "read",
  "refresh",
  "read-replacement",
  "read-discard",
]);

const SavedPlan = z.looseObject({
  resourcePlans: z.record(
    z.string(),
    z.looseObject({ steps: z.array(z.string()).default([]) }),
  ),
});

/**
 * Compares the events of `pulumi up`, which say what a deployment did, with the plan,
 * which says what it should have done.
 * @param plan the text of the file of `--save-plan`
 * @param rulesChanged what somebody has changed of the rules in force since the review
 */
export function appliedResources(
  { steps, errors, isWhole }: EngineEvents,
  plan: string,
  rulesChanged: readonly string[] = [],
): Pick<Applied, "extent" | "resources" | "messages"> {
  const byUrn = new Map<string, { operations: string[]; outcomes: string[] }>();
  const of = (urn: string) => {
    const known = byUrn.get(urn) ?? { operations: [], outcomes: [] };
    byUrn.set(urn, known);
    return known;
  };
  for (const [urn, operations] of plannedSteps(plan))
    of(urn).operations.push(...operations);
  const same = new Set<string>();
  for (const { urn, operation, outcome } of steps) {
    if (operation === "same") same.add(urn);
    if (NO_CHANGE.has(operation)) continue;
    const known = of(urn);
    if (!known.operations.includes(operation)) known.operations.push(operation);
    known.outcomes.push(outcome);
  }
  const touched = [...byUrn].filter(
    ([urn, { operations }]) => isOurConcern(urn) && operations.length > 0,
  );
  const resources = touched.map(
    ([urn, { operations, outcomes }]): AppliedResource => {
      const own = errors.find((error) => error.urn === urn)?.message;
      const isDone =
        outcomes.length >= operations.length &&
        outcomes.every((outcome) => outcome === "done");
      const isNotBegun = outcomes.length === 0 && own === undefined;
      return {
        resource: resourceName(urn),
        operation: summary(operations),
        outcome: isDone
          ? "done"
          : !isNotBegun
            ? "failed"
            : isWhole || same.has(urn)
              ? "done before"
              : "not done",
        ...(own !== undefined &&
          !isDone && { message: describeEngineRefusal(own, rulesChanged) }),
      };
    },
  );
  const isAnyDone = touched.some(([, { outcomes }]) =>
    outcomes.includes("done"),
  );
  return {
    extent: isWhole ? "whole" : isAnyDone ? "part" : "nothing",
    resources,
    messages: isWhole
      ? []
      : [
          ...new Set(
            errors
              .filter(({ urn }) => urn === undefined || !byUrn.has(urn))
              .map(({ message }) =>
                describeEngineRefusal(message, rulesChanged),
              )
              .filter((message) => !/^(error: )?update failed$/.test(message)),
          ),
        ],
  };
}

/** Providers and the stack itself are settings of the program, not of the workspace. */
const isOurConcern = (urn: string) =>
  !/^pulumi:(providers:|pulumi:Stack$)/.test(typeOfUrn(urn));

const plannedSteps = (plan: string): [string, string[]][] =>
  Object.entries(SavedPlan.parse(JSON.parse(plan)).resourcePlans).map(
    ([urn, { steps }]) => [urn, steps.filter((step) => !NO_CHANGE.has(step))],
  );

function summary(operations: readonly string[]): AppliedResource["operation"] {
  if (operations.some((name) => name.includes("replace"))) return "replace";
  if (operations.includes("create") || operations.includes("import"))
    return "create";
  return operations.includes("delete") ? "delete" : "update";
}

/** A plan that the engine refuses, because the program or the state has changed since. */
const VIOLATION =
  /resource (urn:.+?) violates plan: properties changed: ([^]*)$/;

/** A property that changed: `~~rules[{map[...}!={map[...}]`, `++url[...]`, `--name[...]`. */
const CHANGED = /(?:^|, ?)(?:\+\+|--|~~|==|\+-|-\+)([\w.-]+)\[/g;

/**
 * Rewrites the engine's message about a plan that no longer fits the program. The
 * engine prints properties as long Go values. Any other message stays as it is.
 * @param rulesChanged what somebody has changed of the rules in force since the review
 */
export function describeEngineRefusal(
  message: string,
  rulesChanged: readonly string[] = [],
): string {
  const [, urn = "", raw] = VIOLATION.exec(message) ?? [];
  if (raw === undefined) return message;
  const names = [
    ...new Set([...raw.matchAll(CHANGED)].map(([, name]) => name)),
  ];
  const what = names.length === 0 ? "its properties" : names.join(", ");
  const resource = nameOfUrn(urn);
  const isRuleSet = kindOfType(typeOfUrn(urn)) === RULE_SET;
  if (isRuleSet && rulesChanged.length > 0)
    return [
      `The plan was refused, because somebody has changed the rules in force of the rule set ${resource} since it was reviewed:`,
      ...rulesChanged.map((rule) => `  ${rule}`),
    ].join("\n");
  return `The plan was refused, because the program or the state of its stack has changed since it was reviewed: ${what} of ${resource}.`;
}
