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
  const planned = SavedPlan.parse(JSON.parse(plan)).resourcePlans;
  const byUrn = new Map<string, { operations: string[]; outcomes: string[] }>();
  const add = (urn: string, operations: readonly string[]) => {
    const known = byUrn.get(urn) ?? { operations: [], outcomes: [] };
    byUrn.set(urn, known);
    known.operations = [...new Set([...known.operations, ...operations])];
    return known;
  };
  const isChange = (operation: string) => !NO_CHANGE.has(operation);
  for (const [urn, plan] of Object.entries(planned))
    add(urn, plan.steps.filter(isChange));
  const same = new Set<string>();
  for (const { urn, operation, outcome } of steps) {
    if (operation === "same") same.add(urn);
    if (isChange(operation)) add(urn, [operation]).outcomes.push(outcome);
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
      const isDoneBefore = isNotBegun && (isWhole || same.has(urn));
      const others = isNotBegun ? "not done" : "failed";
      return {
        resource: resourceName(urn),
        operation: summary(operations),
        outcome: isDone ? "done" : isDoneBefore ? "done before" : others,
        ...(own !== undefined &&
          !isDone && { message: describeEngineRefusal(own, rulesChanged) }),
      };
    },
  );
  const isAnyDone = touched.some(([, { outcomes }]) =>
    outcomes.includes("done"),
  );
  const messages = errors
    .filter(({ urn }) => urn === undefined || !byUrn.has(urn))
    .map(({ message }) => describeEngineRefusal(message, rulesChanged))
    .filter((message) => !/^(error: )?update failed$/.test(message));
  return {
    extent: isWhole ? "whole" : isAnyDone ? "part" : "nothing",
    resources,
    messages: isWhole ? [] : [...new Set(messages)],
  };
}

/** Providers and the stack itself are settings of the program, not of the workspace. */
const isOurConcern = (urn: string) =>
  !/^pulumi:(providers:|pulumi:Stack$)/.test(typeOfUrn(urn));

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
