import type { FilteringRule } from "@devid/sdk";
import { findSteps, type Rule, visibleText, ruleFileYaml } from "@devid/rules";
import type { OperationContext } from "../../definition/define-resource";
import { IncompleteError, OperationError } from "../../definition/errors";
import { resolveAmbiguous } from "../../session/resolve-ambiguous";
import { fromService, idsByName, toRuleSetState } from "./rule-set-state";
import {
  listInForce,
  allKnown,
  rulesOfOthers,
  type KnownRules,
  type PlacedRule,
} from "./rules-in-force";
import { showSteps, firstBlocks } from "./describe-rule-changes";

type Rules = readonly FilteringRule[];

interface Overwrite {
  readonly environment: string;
  readonly declared: readonly Rule[];
  /**
   * The rules in force until now. Without them, it stays unknown whether a call
   * without a clear answer was carried out, and which rules it overwrote.
   */
  readonly before: Rules | undefined;
  /** What the resource knew of these rules. */
  readonly known: KnownRules;
  /** Whether rules of others may be overwritten, including rules that nobody has seen. */
  readonly mayOverwrite: boolean;
}

/**
 * Replaces every rule of an environment by the declared ones. A message lists the
 * rules of others that this removed, as text for a rule file.
 * @throws IncompleteError with the rules in force as its outputs, when the service
 * answers other rules than were sent, or in another order; and when the overwrite
 * removed rules that somebody wrote after `before` was listed, unless it may
 */
export async function overwriteRules(
  context: OperationContext,
  write: Overwrite,
) {
  const { environment, declared, before, known, mayOverwrite } = write;
  const secretNames = new Set(
    (known.isSecret ? [...declared, ...known.rules] : []).map(
      ({ name }) => name,
    ),
  );
  // Sent together with the overwrite, to see rules that were written after `before`.
  const listing =
    before &&
    listInForce(context, environment).catch((error: unknown) => error as Error);
  const answer = await sendOverwrite(context, write);
  const meanwhile = await listing;
  if (meanwhile instanceof Error)
    await context.log(
      "warning",
      `devid could not check whether a rule that somebody added to environment ${environment} at the same moment was overwritten: ${meanwhile.message}`,
    );
  const unseen =
    before && Array.isArray(meanwhile)
      ? await lostUnseen(context, write, before, meanwhile, answer)
      : [];
  const removed = rulesOfOthers(before ?? [], known, declared).filter(
    ({ id }) => !unseen.some((rule) => rule.id === id),
  );

  const differences = findSteps(declared, fromService(answer));
  const isLoss = unseen.length > 0 && !mayOverwrite && differences.length === 0;
  if (!isLoss) removed.push(...unseen);
  if (removed.length > 0)
    await context.log(
      "warning",
      describeOverwritten(environment, removed, "before", secretNames),
    );
  if (differences.length > 0) {
    const inForce = (await listInForce(context, environment)) ?? answer;
    throw new IncompleteError(
      environment,
      {
        ...writtenOutputs(environment, inForce),
        rules: toRuleSetState(fromService(inForce)),
      },
      new OperationError(
        `The service answered with other filtering rules than were sent to environment ${environment}:\n` +
          `${showSteps(differences, known)}\n` +
          `The state has the rules that are in force now, and the next update tries again.`,
      ),
    );
  }
  const written = writtenOutputs(environment, answer);
  if (!isLoss) return written;
  throw new IncompleteError(
    environment,
    { ...written, rules: toRuleSetState(declared) },
    new OperationError(
      describeOverwritten(environment, unseen, "meanwhile", secretNames),
    ),
  );
}

/**
 * The rules that somebody wrote after `before` was listed, and that the overwrite
 * removed: they are in the list taken meanwhile, and neither in the overwrite's
 * answer nor in force now. Rules written after the overwrite are still in force.
 */
async function lostUnseen(
  context: OperationContext,
  { environment, declared }: Overwrite,
  before: Rules,
  meanwhile: Rules,
  answer: Rules,
): Promise<PlacedRule[]> {
  const written = idsOf(answer);
  const found = rulesOfOthers(meanwhile, allKnown(before), declared).filter(
    ({ id }) => !written.has(id),
  );
  if (found.length === 0) return [];
  const inForce = await listInForce(context, environment).catch(() => []);
  const present = idsOf(inForce ?? []);
  return found.filter(({ id }) => !present.has(id));
}

const idsOf = (rules: Rules) => new Set(rules.map(({ id }) => id));

/** The outputs after an overwrite: the resource wrote, and has seen, all rules in force. */
function writtenOutputs(environment: string, rules: Rules) {
  const ids = idsByName(rules);
  return { environmentId: environment, ruleIds: ids, seenRuleIds: ids };
}

/**
 * Sends the overwrite. After a call without a clear answer, the rules in force show
 * whether it was carried out: then they are the declared ones, under new IDs.
 */
function sendOverwrite(
  context: OperationContext,
  { environment, declared: rules, before }: Overwrite,
): Promise<Rules> {
  const { filteringRules } = context.client;
  return resolveAmbiguous(
    () => filteringRules.bulk({ environment, mode: "overwrite", rules }),
    async () => {
      const inForce = before && (await listInForce(context, environment));
      if (!inForce) return undefined;
      const ids = idsOf(before);
      const isDone =
        findSteps(rules, fromService(inForce)).length === 0 &&
        !inForce.some(({ id }) => ids.has(id));
      return isDone ? inForce : undefined;
    },
  );
}

/**
 * The message about rules of others that an update overwrote, and how to put them back:
 * rules that it knew, or rules that somebody wrote during the update.
 */
export function describeOverwritten(
  environment: string,
  rules: readonly PlacedRule[],
  when: "before" | "meanwhile",
  secretNames: ReadonlySet<string> = new Set(),
): string {
  const { length } = rules;
  const [many, are, them] =
    length === 1 ? ["1 rule", "is", "it"] : [`${length} rules`, "are", "them"];
  const text = `${are} overwritten and no longer in force. To put ${them} back, add ${them} to the rules of the environment:\n${textToPutBack(rules, secretNames)}`;
  return when === "before"
    ? `${many} of environment ${environment} that this resource did not write ${text}`
    : `The filtering rules of environment ${environment} are as declared, but ${many} that somebody wrote during the update ${text}\nThe state has the rules that are in force: nothing else is left to do.`;
}

/**
 * Rules as text for a rule file, each with the place that it had. Only the first of very many
 * are shown. What others made of a secret rule is left out.
 */
function textToPutBack(
  rules: readonly PlacedRule[],
  secretNames: ReadonlySet<string>,
): string {
  const blocks = rules.map(({ id, rule, after }) => {
    if (secretNames.has(rule.name))
      return `  # ${id}, not shown, because the program has a secret rule of its name`;
    const [, ...lines] = ruleFileYaml([rule]).trimEnd().split("\n");
    const place = after === "" ? "the first" : `after ${visibleText(after)}`;
    return [`  # ${place}`, ...lines].join("\n");
  });
  const shown = firstBlocks(
    blocks,
    (left) => `  # and ${left} more, which are too long to show`,
  );
  return ["rules:", ...shown].join("\n");
}
