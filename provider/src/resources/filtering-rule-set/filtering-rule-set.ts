import { rulesObstacle, type FilteringRule } from "@devid/sdk";
import { findSteps, Rules, RULES_DIGEST_PATTERN } from "@devid/rules";
import { z } from "zod";
import {
  defineResource,
  type CheckFailure,
  type FoundObject,
  type ObjectContext,
  type OperationContext,
} from "../../definition/define-resource";
import { goneError, OperationError } from "../../definition/errors";
import {
  chosenReference,
  expected,
  local,
  suppressDiff,
  secretWith,
  setting,
  stable,
} from "../../definition/field";
import { containsUnknown, isRecord, nameUnknown } from "../../definition/value";
import type { Session } from "../../session/session";
import { deleteOwnRules } from "./delete-own-rules";
import { describeRuleChanges } from "./describe-rule-changes";
import {
  objectionToDeleting,
  objectionToTakingOver,
  stopDeleting,
  stopOnDrift,
  stopUnreviewed,
  RuleSetGuardError,
} from "./guards";
import { overwriteRules } from "./overwrite-rules";
import { readRules } from "./read-rules";
import { expressionFailures, repeatedNames } from "./rule-expressions";
import {
  fromService,
  idsByName,
  orderedRules,
  renamedRules,
  RuleSetState,
  toPartlyKnownState,
  toRuleSetState,
  unkeptNames,
} from "./rule-set-state";
import {
  listInForce,
  foreignNames,
  rewrittenSince,
  type KnownRules,
} from "./rules-in-force";

const MAX_DELETED_PERCENT = 50;

const inputs = z.object({
  environment: chosenReference("Environment", "environmentId").describe(
    "ID of the environment whose rules these are. Omitted on creation: the default environment. Leaving it out later changes nothing.",
  ),
  rules: z
    .union([Rules, RuleSetState])
    .describe(
      "Every rule of the environment, in order: the first that matches decides; if none matches, the request is allowed.",
    ),
  takeOver: setting(z.boolean())
    .default(false)
    .describe(
      "Let creation replace rules that the environment already has, even equal ones.",
    ),
  allowEmpty: setting(z.boolean())
    .default(false)
    .describe("Let the set be empty, which allows every request."),
  maxDeletedPercent: setting(z.number().min(0).max(100))
    .default(MAX_DELETED_PERCENT)
    .describe(
      "Largest part of the rules in force that an update may delete, in percent. It does not apply to fewer than 4 rules. A renamed rule counts as deleted.",
    ),
  onDrift: setting(z.enum(["fail", "overwrite"]))
    .default("fail")
    .describe(
      "What happens when somebody else has changed the rules: an update or a destroy fails, or overwrites that change.",
    ),
  expectedInForce: suppressDiff(
    z
      .string()
      // A file has a newline behind it.
      .trim()
      .regex(
        RULES_DIGEST_PATTERN,
        "must be the digest of the rules in force that the change was reviewed against, sha256: and 64 hexadecimal digits; devid rules in-force --format digest prints it",
      ),
  )
    .optional()
    .describe(
      "Digest of the rules in force that the change was reviewed against, from `devid rules in-force --format digest`. If other rules are in force, an update, or a creation with `takeOver`, is refused, even after a refresh. If these are in force, an update goes through, even if the state has not seen them. Changing this input alone is no change.",
    ),
});

const outputs = inputs.extend({
  environmentId: expected(
    stable(z.string()),
    "its state lacks it. Run `pulumi refresh --run-program`.",
  )
    .optional()
    .describe("ID of the environment whose rules these are."),
  ruleIds: secretWith("rules", z.record(z.string(), z.string()))
    .optional()
    .describe(
      "IDs of the rules that this resource wrote, by name; every update of the rules gives them new IDs.",
    ),
  seenRuleIds: secretWith("rules", local(z.record(z.string(), z.string())))
    .optional()
    .describe(
      "IDs of the rules that were in force when they were last read, by name; somebody else wrote those that `ruleIds` lacks.",
    ),
});

type Outputs = z.output<typeof outputs>;

/** Whether creations of a provider take rules in force over. An environment identifies its rule set. */
const takesOver = ({ settings }: Session) => settings.adopt === "byName";

/** Stands for the rules of an environment if the service does not list them: there may be some. */
const UNLISTED_RULES = {
  id: "rules",
  description: "any number: the service does not list them",
};

/**
 * All filtering rules of one environment. Each write replaces all of them by the
 * declared ones, with the bulk call in overwrite mode (docs/contract.md, "POST
 * /filtering-rules/bulk"), after several guards (docs/rule-set-guards.md). The
 * resource's ID is that of the environment.
 */
export const FilteringRuleSet = defineResource({
  kind: "FilteringRuleSet",
  singular: "rule set",
  description:
    "All filtering rules of an environment, in order: the declared rules are the rules in force.",
  schemaVersion: 1,
  inputs,
  outputs,
  example: {
    name: "rules",
    inputs: {
      rules: [
        {
          name: "allow-partners",
          expression: "'X-Partner' in http.request.headers",
          action: "allow",
        },
        {
          name: "block-crawlers",
          expression: "http.user_agent.is_crawler_bot",
          action: "deny",
        },
      ],
    },
    output: "ruleIds",
  },
  fileInput: {
    name: "rulesFile",
    description:
      "Rule file (YAML) that holds the rules, instead of `rules`: its path, relative to the folder of the program.",
    inPlaceOf: "rules",
    expand: "rulesFromFile",
    read: readRules,
  },
  inEnvironment: {
    async find(context, environment) {
      const rules = await listInForce(context, environment, {
        isRefresh: true,
      });
      return (rules ?? [UNLISTED_RULES]).map(({ id, ...outputs }) => {
        return { singular: "filtering rule", id, outputs };
      });
    },
  },
  insteadOfImport:
    "set takeOver: true in its arguments to put its rules in place of those that exist",
  async *list(client, signal, defaultEnvironment) {
    const all = await client.filteringRules.list({ signal });
    const ofDefault =
      defaultEnvironment ??
      (await client.environments.findDefault({ signal }))?.id;
    const environmentOf = (rule: FilteringRule) =>
      rule.environment ?? ofDefault ?? "";
    for (const environment of new Set(all.map(environmentOf)))
      yield foundRuleSet(
        environment,
        all.filter((rule) => environmentOf(rule) === environment),
      );
  },
  title: ({ environmentId = "" }) => `of ${environmentId}`,
  onePerEnvironment: "rules",
  inDefaultEnvironment: () => true,
  clone: {
    about: "The filtering rules: all rules of each environment, in order.",
    ruleFile: {
      argument: "rulesFile",
      rules: ({ rules = [] }) => orderedRules(rules),
      renamed: ({ ruleIds = {} }) => renamedRules(ruleIds),
    },
  },
  orderedBy: { rules: "after" },
  normalize(inputs) {
    if (!Array.isArray(inputs.rules)) return inputs;
    const rules = toPartlyKnownState(inputs.rules) ?? inputs.rules;
    return { ...inputs, rules };
  },
  denormalize: (inputs) => ({
    ...inputs,
    rules: [...orderedRules(inputs.rules)],
  }),
  validate({ rules, allowEmpty }, { configuration, given, secrets }) {
    const obstacle = rulesObstacle(configuration);
    if (obstacle !== undefined) return [{ property: "", reason: obstacle }];
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
    const wrong = [
      ...unkeptNames(rules),
      ...expressionFailures(rules, { isSecret: secrets.has("rules") }),
    ];
    if (Array.isArray(rules) && containsUnknown(rules))
      return [...repeatedNames(rules), ...wrong];
    try {
      orderedRules(rules);
      return wrong;
    } catch (error) {
      return [{ property: "rules", reason: (error as Error).message }];
    }
  },
  async beforeCreate({
    inputs,
    mayReplace,
    ...context
  }): Promise<CheckFailure[]> {
    const { environment, rules, takeOver } = inputs;
    const isKnown = rules !== undefined && "environment" in inputs;
    const { session } = context;
    if (!isKnown || takeOver !== false || takesOver(session)) return [];
    const id = environment ?? (await session.workspace()).workspace;
    const found = await listInForce(context, id);
    const declared = orderedRules(rules);
    const reason = objectionToTakingOver(id, found, declared, {
      isOwnEnvironment: isOfProgram(session, id),
      mayReplace,
    });
    return reason === undefined ? [] : [{ property: "rules", reason }];
  },
  toInputPath: (path, inputs) =>
    path.replace(/^rules\[(\d+)\]/, (whole, index: string) => {
      const name = orderedRules(inputs.rules)[Number(index)]?.name;
      return name === undefined ? whole : `rules["${name}"]`;
    }),
  validateUpdate(last, { rules, maxDeletedPercent }, { secrets }) {
    const isKnown = typeof maxDeletedPercent === "number";
    if (!isKnown || !areNamed(last.rules) || !areNamed(rules)) return [];
    const reason = objectionToDeleting(
      knownRules({ rules: last.rules }, secrets),
      orderedRules(nameUnknown(rules)),
      maxDeletedPercent,
    );
    if (reason === undefined) return [];
    const isGone = `If somebody has deleted them already, run pulumi refresh --run-program.`;
    const refused = `the update is refused: ${reason}\n${isGone}`;
    return [{ property: "rules", reason: refused }];
  },
  describeUpdate(state, { rules }) {
    // Rules are compared by their names, so all names must be known.
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
        : Object.hasOwn(rules, name);
    const names = foreignNames(ruleIds, seenRuleIds).filter(isDeclared);
    return names.length === 0
      ? undefined
      : `rules that somebody else wrote, perhaps another stack, are in force: ${names.join(", ")}; an update takes them over`;
  },
  async create({ inputs, assertAlone, ...context }) {
    const { session } = context;
    const environment =
      inputs.environment ?? (await session.workspace()).workspace;
    const declared = orderedRules(inputs.rules);
    const outputs = await session.mutex.run(environment, async () => {
      const { expectedInForce } = inputs;
      const takeOver = inputs.takeOver || takesOver(session);
      // A new resource has read and written no rule.
      const known = knownRules({ rules: [], ruleIds: {} }, context.secrets);
      const found = await listInForce(context, environment);
      assertAlone?.();
      const reason = takeOver
        ? undefined
        : objectionToTakingOver(environment, found, declared, {
            isOwnEnvironment: isOfProgram(session, environment),
          });
      if (reason !== undefined) throw new RuleSetGuardError(reason);
      // Nothing is written in place of equal rules.
      const isSame =
        !inputs.takeOver &&
        found !== undefined &&
        takeOver &&
        found.length > 0 &&
        findSteps(declared, fromService(found)).length === 0;
      if (isSame) return foundRuleSet(environment, found).outputs as Outputs;
      if (takeOver)
        stopUnreviewed(environment, expectedInForce, found, declared, known);
      return overwriteRules(context, {
        environment,
        declared,
        before: found,
        known,
        mayOverwrite: takeOver && expectedInForce === undefined,
      });
    });
    return { id: environment, outputs };
  },
  async read({ id, last, ...context }) {
    // For an environment that is gone, the list of rules would be empty or refused.
    if (!(await environmentOf(context, id))) return undefined;
    const inForce = await listInForce(context, id, { isRefresh: true });
    if (!inForce && last) return last;
    if (!inForce)
      throw new OperationError(
        `The filtering rules of environment ${id} cannot be imported: the service does not list its rules.`,
      );
    const { outputs } = foundRuleSet(id, inForce);
    // A refresh does not make other rules the resource's own.
    const { ruleIds, allowEmpty } = last ?? {};
    return last ? { ...outputs, ruleIds, allowEmpty } : outputs;
  },
  update({ id, inputs, last, ...context }) {
    const declared = orderedRules(inputs.rules);
    return context.session.mutex.run(id, async () => {
      const { expectedInForce } = inputs;
      const known = knownRules(last, context.secrets);
      const found = await listInForce(context, id);
      // The list of a deleted environment is empty, as if somebody had deleted its rules.
      const isLost = found?.length === 0 && known.rules.length > 0;
      if (isLost && !(await environmentOf(context, id)))
        throw goneError(`FilteringRuleSet ${id}`, "its environment is");
      const inForce = found ? fromService(found) : known.rules;
      stopUnreviewed(id, expectedInForce, found, declared, known);
      // The digest of the rules in force shows that a reviewer has seen them.
      if (inputs.onDrift === "fail" && expectedInForce === undefined)
        stopOnDrift(
          id,
          inForce,
          known,
          declared,
          found &&
            rewrittenSince(last.seenRuleIds ?? last.ruleIds, idsByName(found)),
        );
      stopDeleting(id, inForce, known, declared, inputs.maxDeletedPercent);
      return overwriteRules(context, {
        environment: id,
        declared,
        before: found,
        known,
        // With a digest of the rules to replace, no others may be replaced.
        mayOverwrite:
          inputs.onDrift === "overwrite" && expectedInForce === undefined,
      });
    });
  },
  async delete(context) {
    if (await environmentOf(context, context.id)) await deleteOwn(context);
  },
  // Rules of the other resource stay: they have other IDs.
  leave: deleteOwn,
});

function deleteOwn({ id, last, ...context }: ObjectContext<typeof outputs>) {
  const known = knownRules(last, context.secrets);
  return context.session.mutex.run(id, () =>
    deleteOwnRules(context, id, known, last.onDrift),
  );
}

/** Whether a resource of the program is known to have an environment. */
const isOfProgram = ({ ledger }: OperationContext["session"], id: string) =>
  ledger.holder(id) !== undefined;

/** The environment of a rule set, undefined when it is gone. */
const environmentOf = ({ client, session }: OperationContext, id: string) =>
  session.reads.find(client.environments, id);

/** The rules of the state, as known to the resource. */
function knownRules(
  { rules, ruleIds }: Pick<Outputs, "rules" | "ruleIds">,
  secrets: ReadonlySet<string>,
): KnownRules {
  return {
    rules: orderedRules(rules),
    isSecret: secrets.has("rules"),
    ...(ruleIds && { ownIds: new Set(Object.values(ruleIds)) }),
  };
}

/** Whether rules have the form of the state, in which every name is known. */
const areNamed = (rules: unknown): rules is RuleSetState => isRecord(rules);

/** The listed rules of an environment as the outputs of a rule set. */
function foundRuleSet(
  environment: string,
  rules: readonly FilteringRule[],
): FoundObject & { outputs: Partial<Outputs> } {
  const ids = idsByName(rules);
  return {
    id: environment,
    outputs: {
      environment,
      environmentId: environment,
      rules: toRuleSetState(fromService(rules)),
      ruleIds: ids,
      seenRuleIds: ids,
      // Without it, the program that an import prints would be refused.
      ...(rules.length === 0 && { allowEmpty: true }),
    },
  };
}
