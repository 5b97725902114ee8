import { Rules, type FilteringRule, type Rule } from "@devid/sdk";
import { z } from "zod";
import {
  defineResource,
  type CheckFailure,
  type Found,
  type OperationContext,
} from "../../definition/define-resource";
import {
  expected,
  immutable,
  local,
  managedIfSet,
  references,
  setting,
  stable,
} from "../../definition/field";
import { containsUnknown, nameUnknown } from "../../definition/value";
import { OwnershipError } from "../../session/claims";
import { orMissing } from "../../session/or-missing";
import { describeRuleChanges } from "./describe-rule-changes";
import {
  objectionToTakingOver,
  stopDeleting,
  stopDestroyingEdits,
  stopOnDrift,
} from "./guards";
import { idsByName, putInForce } from "./put-in-force";
import { expressionFailures, repeatedNames } from "./rule-expressions";
import { RuleSetGuardError } from "./rule-set-guard-error";
import {
  fromService,
  orderedRules,
  renamedRules,
  RuleSetState,
  toPartlyKnownState,
  toRuleSetState,
} from "./rule-set-state";
import { rulesInForce } from "./rules-in-force";

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
    const reason = await objection(context, place, rules);
    if (reason === undefined) return [];
    session.claims.fail("FilteringRuleSet", place);
    return [{ property: "rules", reason }];
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
  pending: ({ ruleIds, seenRuleIds }, { rules }) => {
    const names = foreignAmong(rules, ruleIds, seenRuleIds);
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
        if (inputs.takeOver)
          return putInForce(context, environment, declared, undefined);
        const reason = await objection(context, environment, declared);
        if (reason !== undefined)
          throw new RuleSetGuardError("takeOver", reason);
        return putInForce(context, environment, declared, []);
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
      const lastSeen = orderedRules(last.rules);
      const found = await rulesInForce(context, id);
      const inForce = found ? fromService(found) : lastSeen;
      if (inputs.onDrift === "fail")
        stopOnDrift(
          id,
          inForce,
          lastSeen,
          declared,
          found &&
            rewrittenSince(last.seenRuleIds ?? last.ruleIds, idsByName(found)),
        );
      stopDeleting(id, inForce, declared, inputs.maxDeletedPercent);
      return putInForce(context, id, declared, found);
    });
  },
  async delete({ id, last, ...context }) {
    const { client, session } = context;
    if (!(await session.reads.find(client.environments, id))) return;
    await session.locks.hold(id, () => deleteOwn(context, id, last));
  },
  // The IDs of its rules tell what is its own.
  leave({ id, last, ...context }) {
    return context.session.locks.hold(id, () => deleteOwn(context, id, last));
  },
});

/** Why a creation must not write to an environment; its rules are looked at. */
async function objection(
  context: OperationContext,
  environment: string,
  declared: z.output<typeof inputs>["rules"] | readonly Rule[],
): Promise<string | undefined> {
  const inForce = await rulesInForce(context, environment);
  return objectionToTakingOver(
    environment,
    inForce && fromService(inForce),
    orderedRules(declared),
  );
}

/**
 * Takes away the rules in force that this resource wrote, told by their IDs.
 * Rules of others stay in force.
 * @throws RuleSetGuardError when somebody edited them
 */
async function deleteOwn(
  context: OperationContext,
  environment: string,
  last: Outputs,
): Promise<void> {
  const { filteringRules } = context.client;
  const ids = new Set(Object.values(last.ruleIds ?? {}));
  const inForce = await rulesInForce(context, environment);
  if (!inForce) {
    for (const id of ids) await orMissing(filteringRules.delete(id));
    return;
  }
  const own = inForce.filter(({ id }) => ids.has(id));
  const others = inForce.filter(({ id }) => !ids.has(id));
  const stay = `what it did not write stays in force: ${others.map(({ name }) => name).join(", ")}`;
  if (own.length === 0) {
    if (others.length > 0)
      await context.tell(
        "info",
        `Nothing was deleted from the filtering rules of environment ${environment}: none of them is of this rule set; ${stay}.`,
      );
    return;
  }
  if (last.onDrift !== "overwrite")
    stopDestroyingEdits(
      environment,
      fromService(own),
      orderedRules(last.rules),
    );
  if (others.length === 0) {
    await putInForce(context, environment, [], inForce);
    return;
  }
  // The last first: those before it decide first.
  for (const { id } of own.toReversed())
    await orMissing(filteringRules.delete(id));
  await context.tell(
    "info",
    `${own.length === 1 ? "1 filtering rule" : `${own.length} filtering rules`} of environment ${environment} deleted; ${stay}.`,
  );
}

/** Names of the declared rules that are in force, and that others wrote. */
function foreignAmong(
  declared: z.output<typeof inputs>["rules"],
  own: Readonly<Record<string, string>> = {},
  seen: Readonly<Record<string, string>> = own,
): string[] {
  const ids = new Set(Object.values(own));
  return Object.entries(seen)
    .filter(([, id]) => !ids.has(id))
    .map(([name]) => name)
    .filter((name) =>
      Array.isArray(declared)
        ? declared.some((rule) => rule.name === name)
        : name in declared,
    );
}

/** Names of the rules that have another ID now than they had. */
function rewrittenSince(
  had: Readonly<Record<string, string>> = {},
  have: Readonly<Record<string, string>> = had,
): string[] {
  return Object.keys(have).filter(
    (name) => had[name] !== undefined && had[name] !== have[name],
  );
}

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
