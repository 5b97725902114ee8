import type { FilteringRule } from "@devid/sdk";
import { Rules, RULES_DIGEST_PATTERN } from "@devid/rules";
import { z } from "zod";
import {
  defineResource,
  type CheckFailure,
  type Found,
} from "../../definition/define-resource";
import {
  expected,
  immutable,
  local,
  managedIfSet,
  momentary,
  references,
  setting,
  stable,
} from "../../definition/field";
import { containsUnknown, nameUnknown, UNKNOWN } from "../../definition/value";
import { OwnershipError } from "../../session/claims";
import { deleteOwnRules } from "./delete-own-rules";
import { describeRuleChanges } from "./describe-rule-changes";
import {
  objectionToDeleting,
  objectionToTakingOver,
  stopDeleting,
  stopOnDrift,
  stopUnreviewed,
} from "./guards";
import { putInForce } from "./put-in-force";
import { expressionFailures, repeatedNames } from "./rule-expressions";
import { RuleSetGuardError } from "./rule-set-guard-error";
import {
  fromService,
  idsByName,
  orderedRules,
  renamedRules,
  RuleSetState,
  toPartlyKnownState,
  toRuleSetState,
} from "./rule-set-state";
import { rulesInForce } from "./rules-in-force";
import {
  foreignNames,
  NO_LOOK,
  rewrittenSince,
  type LastLook,
} from "./rules-of-others";

const MAX_DELETED_PERCENT = 50;

const inputs = z.object({
  environment: immutable(
    references("Environment", managedIfSet(z.string().min(1), "environmentId")),
  )
    .optional()
    .describe(
      "ID of the environment whose rules these are. Omitted on creation: the default environment. Left out later, nothing moves.",
    ),
  rules: z
    .union([Rules, RuleSetState])
    .describe(
      "Every rule of the environment, in order: the first that matches decides, and no match allows.",
    ),
  takeOver: setting(z.boolean())
    .default(false)
    .describe(
      "Let creation replace rules that the environment has already, equal ones included.",
    ),
  allowEmpty: setting(z.boolean())
    .default(false)
    .describe("Let the set be empty, which allows every request."),
  maxDeletedPercent: setting(z.number().min(0).max(100))
    .default(MAX_DELETED_PERCENT)
    .describe(
      "Largest part of the rules in force that an update may delete, in percent; fewer than 4 rules may all be deleted. A renamed rule counts as deleted.",
    ),
  onDrift: setting(z.enum(["fail", "overwrite"]))
    .default("fail")
    .describe(
      "What happens when the rules were changed behind the program's back: the update, or the destruction, fails or overwrites the change.",
    ),
  expectedInForce: momentary(
    z
      .string()
      .regex(
        RULES_DIGEST_PATTERN,
        "must be the digest of the rules in force that the change was reviewed against, sha256: and 64 hexadecimal digits; devid rules in-force --format digest prints it",
      ),
  )
    .optional()
    .describe(
      "Digest of the rules in force that the change was reviewed against, from `devid rules in-force --format digest`: an update, or a creation with `takeOver`, over other rules is refused, after a refresh too. By itself it is no change.",
    ),
});

const outputs = inputs.extend({
  environmentId: expected(
    stable(z.string()),
    "its state does not tell it. Run `pulumi refresh`.",
  )
    .optional()
    .describe("ID of the environment whose rules these are."),
  ruleIds: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "ID of each rule that this resource wrote, by its name; every update of the rules gives new ones.",
    ),
  seenRuleIds: local(z.record(z.string(), z.string()))
    .optional()
    .describe(
      "ID of each rule that was in force when it was last looked at; others than `ruleIds` were written by somebody else.",
    ),
});

type Outputs = z.output<typeof outputs>;

/**
 * All filtering rules of one environment, applied by the bulk call in
 * overwrite mode: what is declared is what is in force
 * (docs/contract.md, "POST /filtering-rules/bulk"). Its ID is the environment's.
 * Guards stand before each overwrite: docs/rule-set-guards.md.
 */
export const FilteringRuleSet = defineResource({
  kind: "FilteringRuleSet",
  singular: "rule set",
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
  async *list(client, signal, defaultEnvironment) {
    const all = await client.filteringRules.list({ signal });
    const ofDefault =
      defaultEnvironment ??
      (await client.environments.findDefault({ signal }))?.id;
    const place = (rule: FilteringRule) => rule.environment ?? ofDefault ?? "";
    for (const environment of new Set(all.map(place)))
      yield found(
        environment,
        all.filter((rule) => place(rule) === environment),
      );
  },
  title: ({ environmentId = "" }) => `of ${environmentId}`,
  clone: {
    about: "The filtering rules: all rules of each environment, in order.",
    onePerEnvironment: "rules",
    inDefaultEnvironment: () => true,
    ruleFile: {
      argument: "rulesFile",
      rules: ({ rules = [] }) => orderedRules(rules),
      renamed: ({ ruleIds = {} }) => renamedRules(ruleIds),
    },
  },
  normalize(inputs) {
    if (!Array.isArray(inputs.rules)) return inputs;
    const rules = toPartlyKnownState(inputs.rules) ?? inputs.rules;
    return { ...inputs, rules };
  },
  denormalize: (inputs) => ({
    ...inputs,
    rules: [...orderedRules(inputs.rules)],
  }),
  validate({ rules, allowEmpty }, { given, secrets }) {
    if (!rules) return [];
    const isEmptyMeant = allowEmpty ?? given.has("allowEmpty");
    if (Object.keys(rules).length === 0 && !isEmptyMeant)
      return [
        {
          property: "rules",
          reason:
            "is empty, which would allow every request; set allowEmpty: true if that is meant",
        },
      ];
    const wrong = expressionFailures(rules, { isSecret: secrets.has("rules") });
    if (Array.isArray(rules) && containsUnknown(rules))
      return [...repeatedNames(rules), ...wrong];
    try {
      orderedRules(rules);
      return wrong;
    } catch (error) {
      return [{ property: "rules", reason: (error as Error).message }];
    }
  },
  async beforeCreate({ inputs, ...context }): Promise<CheckFailure[]> {
    const { environment, rules, takeOver } = inputs;
    const isKnown = rules !== undefined && "environment" in inputs;
    if (!isKnown || takeOver !== false) return [];
    const { session } = context;
    const place = environment ?? (await session.workspace()).workspace;
    const found = await rulesInForce(context, place);
    const reason = objectionToTakingOver(place, found, orderedRules(rules));
    if (reason === undefined) return [];
    session.claims.fail("FilteringRuleSet", place);
    return [{ property: "rules", reason }];
  },
  toInputPath: (path, inputs) =>
    path.replace(/^rules\[(\d+)\]/, (whole, index: string) => {
      const name = orderedRules(inputs.rules)[Number(index)]?.name;
      return name === undefined ? whole : `rules["${name}"]`;
    }),
  validateUpdate(last, { rules, maxDeletedPercent }) {
    const isKnown = typeof maxDeletedPercent === "number";
    if (!isKnown || !areNamed(last.rules) || !areNamed(rules)) return [];
    const reason = objectionToDeleting(
      orderedRules(last.rules),
      orderedRules(nameUnknown(rules)),
      maxDeletedPercent,
    );
    return reason === undefined ? [] : [{ property: "rules", reason }];
  },
  describeUpdate(state, { rules }) {
    // Without all names there is nothing to tell rules by.
    if (!areNamed(rules)) return undefined;
    return describeRuleChanges(
      state.environmentId ?? "",
      orderedRules(state.rules),
      orderedRules(nameUnknown(rules)),
    );
  },
  pending: ({ ruleIds, seenRuleIds }, { rules }) => {
    const isDeclared = (name: string) =>
      Array.isArray(rules)
        ? rules.some((rule) => rule.name === name)
        : name in rules;
    const names = foreignNames(ruleIds, seenRuleIds).filter(isDeclared);
    return names.length === 0
      ? undefined
      : `rules that somebody else wrote are in force, perhaps of another stack: ${names.join(", ")}; an update makes them its own`;
  },
  async create({ inputs, ...context }) {
    const { session } = context;
    const environment =
      inputs.environment ?? (await session.workspace()).workspace;
    const declared = orderedRules(inputs.rules);
    try {
      const outputs = await session.locks.hold(environment, async () => {
        if (session.claims.other("FilteringRuleSet", environment, undefined))
          throw new OwnershipError(
            `The filtering rules of environment ${environment} were not created: another FilteringRuleSet of this program has that environment, and each write of one would delete the rules of the other. Declare all rules of an environment in one FilteringRuleSet.`,
          );
        const { takeOver, expectedInForce } = inputs;
        const found = await rulesInForce(context, environment);
        const reason = takeOver
          ? undefined
          : objectionToTakingOver(environment, found, declared);
        if (reason !== undefined)
          throw new RuleSetGuardError("takeOver", reason);
        if (takeOver)
          stopUnreviewed(
            environment,
            expectedInForce,
            found,
            declared,
            NO_LOOK,
          );
        return putInForce(context, {
          environment,
          declared,
          before: found,
          last: NO_LOOK,
          mayOverwrite: takeOver && expectedInForce === undefined,
        });
      });
      return { id: environment, outputs };
    } catch (error) {
      session.claims.fail("FilteringRuleSet", environment);
      throw error;
    }
  },
  async read({ id, last, ...context }) {
    const { client, session } = context;
    // A list for an environment that is gone is empty, or refused.
    if (!(await session.reads.find(client.environments, id))) return undefined;
    const inForce = await rulesInForce(context, id, { isRefresh: true });
    if (!inForce && last) return last;
    if (!inForce)
      throw new Error(
        `The filtering rules of environment ${id} cannot be imported: the service does not list its rules.`,
      );
    const { outputs } = found(id, inForce);
    // A refresh looks, and makes nothing its own.
    return last ? { ...outputs, ruleIds: last.ruleIds } : outputs;
  },
  update({ id, inputs, last, ...context }) {
    const declared = orderedRules(inputs.rules);
    return context.session.locks.hold(id, async () => {
      const { expectedInForce } = inputs;
      const look = lastLook(last);
      const found = await rulesInForce(context, id);
      const inForce = found ? fromService(found) : look.rules;
      stopUnreviewed(id, expectedInForce, found, declared, look);
      if (inputs.onDrift === "fail")
        stopOnDrift(
          id,
          inForce,
          look.rules,
          declared,
          found &&
            rewrittenSince(last.seenRuleIds ?? last.ruleIds, idsByName(found)),
        );
      stopDeleting(id, inForce, declared, inputs.maxDeletedPercent);
      return putInForce(context, {
        environment: id,
        declared,
        before: found,
        last: look,
        // Whoever says which rules are replaced means no others.
        mayOverwrite:
          inputs.onDrift === "overwrite" && expectedInForce === undefined,
      });
    });
  },
  async delete({ id, last, ...context }) {
    const { client, session } = context;
    if (!(await session.reads.find(client.environments, id))) return;
    await session.locks.hold(id, () =>
      deleteOwnRules(context, id, lastLook(last), last.onDrift),
    );
  },
  // The IDs of its rules tell what is its own.
  leave({ id, last, ...context }) {
    return context.session.locks.hold(id, () =>
      deleteOwnRules(context, id, lastLook(last), last.onDrift),
    );
  },
});

/** What the state knows of the rules in force. */
function lastLook({ rules, ruleIds }: Outputs): LastLook {
  return {
    rules: orderedRules(rules),
    ...(ruleIds && { ownIds: new Set(Object.values(ruleIds)) }),
  };
}

/** Whether rules are told by their names: in the state's form, where every name is known. */
const areNamed = (rules: unknown): rules is RuleSetState =>
  typeof rules === "object" &&
  rules !== null &&
  rules !== UNKNOWN &&
  !Array.isArray(rules);

/** The rules of an environment as the outputs of a rule set. */
function found(
  environment: string,
  rules: readonly FilteringRule[],
): Found & { outputs: Partial<Outputs> } {
  const ids = idsByName(rules);
  return {
    id: environment,
    outputs: {
      environment,
      environmentId: environment,
      rules: toRuleSetState(fromService(rules)),
      ruleIds: ids,
      seenRuleIds: ids,
    },
  };
}
