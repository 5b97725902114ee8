import { Rules } from "@devid/sdk";
import { z } from "zod";
import { environmentOrDefault } from "../../session/default-environment";
import { defineResource } from "../../definition/define-resource";
import { expected, immutable, managedIfSet } from "../../definition/field";
import { expressionFailures } from "./rule-expressions";
import {
  fromService,
  orderedRules,
  RuleSetState,
  toPartlyKnownState,
  toRuleSetState,
} from "./rule-set-state";
import { describeRuleChanges } from "./describe-rule-changes";
import { stopDeleting, stopOnDrift, stopTakingOver } from "./guards";
import { oneAtATime } from "../../session/one-at-a-time";
import { idsByName, putInForce } from "./put-in-force";
import { rulesInForce } from "./rules-in-force";
import { nameUnknown } from "../../lifecycle/unknown";

const MAX_DELETED_PERCENT = 50;

const inputs = z.object({
  environment: immutable(managedIfSet(z.string().min(1), "environmentId"))
    .optional()
    .describe(
      "ID of the environment whose rules these are. Omitted on creation: the default environment. Left out later, nothing moves.",
    ),
  rules: z
    .union([Rules, RuleSetState])
    .describe(
      "Every rule of the environment, in order: the first that matches decides, and no match allows.",
    ),
  takeOver: z
    .boolean()
    .default(false)
    .describe(
      "Let creation replace rules that the environment has and the program does not.",
    ),
  allowEmpty: z
    .boolean()
    .default(false)
    .describe("Let the set be empty, which allows every request."),
  maxDeletedPercent: z
    .number()
    .min(0)
    .max(100)
    .default(MAX_DELETED_PERCENT)
    .describe(
      "Largest part of the rules in force that an update may delete, in percent; fewer than 4 rules may all be deleted. A renamed rule counts as deleted.",
    ),
  onDrift: z
    .enum(["fail", "overwrite"])
    .default("fail")
    .describe(
      "What happens when the rules were changed behind the program's back: the update, or the destruction, fails or overwrites the change.",
    ),
});

const outputs = inputs.extend({
  environmentId: expected(
    z.string(),
    "its state does not tell it. Run `pulumi refresh`.",
  )
    .optional()
    .describe("ID of the environment whose rules these are."),
  ruleIds: z
    .record(z.string(), z.string())
    .optional()
    .describe("ID of each rule, by its name; every update gives new ones."),
});

/**
 * All filtering rules of one environment, applied by the bulk call in
 * overwrite mode: what is declared is what is in force
 * (docs/contract.md, "POST /filtering-rules/bulk"). Its ID is the environment's.
 * Guards stand before each overwrite: docs/rule-set-guards.md.
 */
export const FilteringRuleSet = defineResource({
  kind: "FilteringRuleSet",
  description:
    "The ordered filtering rules of an environment, all of them: what is declared is what is in force.",
  schemaVersion: 1,
  inputs,
  outputs,
  programArgs: {
    fields: z.object({
      rulesFile: z
        .string()
        .optional()
        .describe(
          "Path of a rule file (YAML) to take the rules from, in place of `rules`.",
        ),
    }),
    inPlaceOf: "rules",
    expand: "rulesFromFile",
  },
  normalize(inputs) {
    if (!Array.isArray(inputs.rules)) return inputs;
    const rules = toPartlyKnownState(inputs.rules) ?? inputs.rules;
    return { ...inputs, rules };
  },
  validate({ rules, allowEmpty }) {
    if (!rules) return [];
    if (Object.keys(rules).length === 0 && !allowEmpty)
      return [
        {
          property: "rules",
          reason:
            "is empty, which would allow every request; set allowEmpty: true if that is meant",
        },
      ];
    try {
      orderedRules(rules);
      return expressionFailures(rules);
    } catch (error) {
      return [{ property: "rules", reason: (error as Error).message }];
    }
  },
  toInputPath: (path, inputs) =>
    path.replace(/^rules\[(\d+)\]/, (whole, index: string) => {
      const name = orderedRules(inputs.rules)[Number(index)]?.name;
      return name === undefined ? whole : `rules["${name}"]`;
    }),
  describeUpdate(state, inputs) {
    const { rules, maxDeletedPercent = MAX_DELETED_PERCENT } = inputs;
    // Without all names there is nothing to tell rules by.
    if (typeof rules !== "object" || Array.isArray(rules)) return undefined;
    return describeRuleChanges(
      state.environmentId ?? "",
      orderedRules(state.rules),
      orderedRules(nameUnknown(rules)),
      maxDeletedPercent,
    );
  },
  async create({ inputs, ...context }) {
    const environment = await environmentOrDefault(
      context.client,
      inputs.environment,
    );
    const declared = orderedRules(inputs.rules);
    const outputs = await oneAtATime(environment, async () => {
      if (!inputs.takeOver) {
        const found = await rulesInForce(context, environment);
        stopTakingOver(environment, found && fromService(found), declared);
      }
      return putInForce(context, environment, declared);
    });
    return { id: environment, outputs };
  },
  async read({ id, last, ...context }) {
    // A list for an environment that is gone is empty, or refused.
    if (!(await context.client.environments.find(id))) return undefined;
    const found = await rulesInForce(context, id);
    if (!found && last) return last;
    if (!found)
      throw new Error(
        `The filtering rules of environment ${id} cannot be imported: the service does not list its rules.`,
      );
    return {
      environment: id,
      environmentId: id,
      rules: toRuleSetState(fromService(found)),
      takeOver: last?.takeOver ?? false,
      allowEmpty: last?.allowEmpty ?? false,
      maxDeletedPercent: last?.maxDeletedPercent ?? MAX_DELETED_PERCENT,
      onDrift: last?.onDrift ?? "fail",
      ruleIds: idsByName(found),
    };
  },
  update({ id, inputs, last, ...context }) {
    const declared = orderedRules(inputs.rules);
    return oneAtATime(id, async () => {
      const lastSeen = orderedRules(last.rules);
      const found = await rulesInForce(context, id);
      const inForce = found ? fromService(found) : lastSeen;
      if (inputs.onDrift === "fail")
        stopOnDrift(id, inForce, lastSeen, declared, "overwritten");
      stopDeleting(id, inForce, declared, inputs.maxDeletedPercent);
      return putInForce(context, id, declared);
    });
  },
  async delete({ id, last, ...context }) {
    if (!(await context.client.environments.find(id))) return;
    await oneAtATime(id, async () => {
      const lastSeen = orderedRules(last.rules);
      const found = await rulesInForce(context, id);
      if (found && last.onDrift !== "overwrite")
        stopOnDrift(id, fromService(found), lastSeen, [], "destroyed");
      await putInForce(context, id, []);
    });
  },
});
