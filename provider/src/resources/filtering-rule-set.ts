import { Rules, type Client, type FilteringRule, type Rule } from "@devid/sdk";
import { z } from "zod";
import { environmentOrDefault } from "../default-environment";
import { defineResource } from "../define-resource";
import { immutable, managedIfSet } from "../field";
import { IncompleteError } from "../incomplete-error";
import { ruleChanges } from "../rule-changes";
import { expressionFailures } from "../rule-expressions";
import {
  fromRuleSetState,
  fromService,
  toPartlyKnownState,
  RuleSetState,
  toRuleSetState,
} from "../rule-set-state";
import { settleByLooking } from "../settle-by-looking";

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
  onDrift: z
    .enum(["fail", "overwrite"])
    .default("fail")
    .describe(
      "What happens when the rules were changed behind the program's back: the update fails, or overwrites the change.",
    ),
});

const outputs = inputs.extend({
  environmentId: z
    .string()
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
      ordered(rules);
      return expressionFailures(rules);
    } catch (error) {
      return [{ property: "rules", reason: (error as Error).message }];
    }
  },
  toInputPath: (path, inputs) =>
    path.replace(/^rules\[(\d+)\]/, (whole, index: string) => {
      const name = ordered(inputs.rules)[Number(index)]?.name;
      return name === undefined ? whole : `rules["${name}"]`;
    }),
  async create({ client, inputs }) {
    const environment = await environmentOrDefault(client, inputs.environment);
    const declared = ordered(inputs.rules);
    const inForce = fromService(await list(client, environment));
    const names = new Set(declared.map((rule) => rule.name));
    const foreign = inForce.filter((rule) => !names.has(rule.name));
    if (foreign.length > 0 && !inputs.takeOver)
      throw new Error(
        `Environment ${environment} has ${foreign.length} filtering rules that the program does not declare, and creating this rule set would delete them:` +
          foreign
            .map(
              (rule) =>
                `\n  "${rule.name}": ${rule.action} if ${rule.expression}`,
            )
            .join("") +
          `\nDeclare them, or set takeOver: true to replace them.`,
      );
    const outputs = await overwrite(client, environment, declared);
    return { id: environment, outputs };
  },
  async read({ client, id, last }) {
    // A list for an environment that is gone is empty, or refused.
    if (!(await client.environments.find(id))) return undefined;
    const found = await list(client, id);
    const {
      takeOver = false,
      allowEmpty = false,
      onDrift = "fail",
    } = last ?? {};
    return {
      environment: id,
      environmentId: id,
      rules: toRuleSetState(fromService(found)),
      takeOver,
      allowEmpty,
      onDrift,
      ruleIds: idsByName(found),
    };
  },
  async update({ client, id, inputs, last }) {
    const declared = ordered(inputs.rules);
    await stopOnDrift(
      client,
      id,
      ordered(last.rules),
      declared,
      inputs.onDrift,
    );
    return overwrite(client, id, declared);
  },
  async delete({ client, id, last }) {
    if (!(await client.environments.find(id))) return;
    await stopOnDrift(client, id, ordered(last.rules), [], last.onDrift);
    await overwrite(client, id, []);
  },
});

/** Fails when the rules in force are neither those last seen nor already those declared. */
async function stopOnDrift(
  client: Client,
  environment: string,
  lastSeen: readonly Rule[],
  declared: readonly Rule[],
  onDrift: "fail" | "overwrite",
): Promise<void> {
  if (onDrift === "overwrite") return;
  const inForce = fromService(await list(client, environment));
  const drift = ruleChanges(lastSeen, inForce);
  if (drift.length === 0 || ruleChanges(declared, inForce).length === 0) return;
  throw new Error(
    `The filtering rules of environment ${environment} were changed by someone else since they were last seen:` +
      drift.map((line) => `\n  ${line}`).join("") +
      `\nTo see the change in the next preview, run pulumi refresh, and keep it by putting it into the program; to drop it, set onDrift: "overwrite".`,
  );
}

async function overwrite(
  client: Client,
  environment: string,
  declared: readonly Rule[],
) {
  const answer = await writeOnce(client, environment, declared);
  const differences = ruleChanges(declared, fromService(answer));
  const ruleIds = idsByName(answer);
  if (differences.length > 0)
    throw new IncompleteError(
      environment,
      {
        environmentId: environment,
        rules: toRuleSetState(fromService(answer)),
        ruleIds,
      },
      new Error(
        `The service put other rules in force in environment ${environment} than were sent:` +
          differences.map((line) => `\n  ${line}`).join(""),
      ),
    );
  return { environmentId: environment, ruleIds };
}

/** Overwrites; a call without a clear answer is settled by looking which rules are in force. */
function writeOnce(
  client: Client,
  environment: string,
  rules: readonly Rule[],
): Promise<readonly FilteringRule[]> {
  return settleByLooking(
    () => client.filteringRules.bulk({ environment, mode: "overwrite", rules }),
    async () => {
      const inForce = await list(client, environment);
      const isDone = ruleChanges(rules, fromService(inForce)).length === 0;
      return isDone ? inForce : undefined;
    },
  );
}

const list = (client: Client, environment: string) =>
  client.filteringRules.list({ environment });

const idsByName = (rules: readonly FilteringRule[]) =>
  Object.fromEntries(
    fromService(rules).map((rule, index) => [
      rule.name,
      rules[index]?.id ?? "",
    ]),
  );

const ordered = (rules: readonly Rule[] | RuleSetState): readonly Rule[] =>
  isOrdered(rules) ? rules : fromRuleSetState(rules);

// Array.isArray does not narrow readonly arrays.
const isOrdered = (
  rules: readonly Rule[] | RuleSetState,
): rules is readonly Rule[] => Array.isArray(rules);
