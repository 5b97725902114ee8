import type { FilteringRule } from "@devid/sdk";
import { findSteps, type Rule } from "@devid/rules";
import type { OperationContext } from "../../definition/define-resource";
import { IncompleteError } from "../../definition/incomplete-error";
import { settleByLooking } from "../../session/settle-by-looking";
import { describeLost, describeOverwritten } from "./describe-overwritten";
import { fromService, idsByName, toRuleSetState } from "./rule-set-state";
import { rulesInForce } from "./rules-in-force";
import {
  lookAt,
  rulesOfOthers,
  type LastLook,
  type PlacedRule,
} from "./rules-of-others";
import { showSteps } from "./show-steps";

type Rules = readonly FilteringRule[];

/** A write of all rules of an environment. */
interface Write {
  readonly environment: string;
  readonly declared: readonly Rule[];
  /**
   * The rules in force until now. Without them, a call that got no clear answer
   * cannot be told from one that was not carried out, nor what it overwrote.
   */
  readonly before: Rules | undefined;
  /** What the resource knew of them. */
  readonly last: LastLook;
  /** Whether rules of others may be overwritten, those included that nobody has seen. */
  readonly mayOverwrite: boolean;
}

/**
 * Replaces every rule of an environment by the declared ones, and tells which
 * rules of others are out of force by that, with the text to put them back.
 * @throws IncompleteError, whose outputs are what is in force then, when the
 * service answers other rules than were sent, or another order, and when rules
 * that somebody wrote after `before` was listed were lost and may not be
 */
export async function putInForce(context: OperationContext, write: Write) {
  const { environment, declared, before, last, mayOverwrite } = write;
  // On its way together with the write, so that it shows what came after `before`.
  const looking =
    before &&
    rulesInForce(context, environment).catch(
      (error: unknown) => error as Error,
    );
  const answer = await overwrite(context, write);
  const meanwhile = await looking;
  if (meanwhile instanceof Error)
    await context.tell(
      "warning",
      `Nobody looked whether a rule that was added to environment ${environment} at the same moment was overwritten: ${meanwhile.message}`,
    );
  const unseen =
    before && Array.isArray(meanwhile)
      ? await lostUnseen(context, write, before, meanwhile, answer)
      : [];
  const told = rulesOfOthers(before ?? [], last, declared).filter(
    ({ id }) => !unseen.some((rule) => rule.id === id),
  );

  const differences = findSteps(declared, fromService(answer));
  const isLoss = unseen.length > 0 && !mayOverwrite && differences.length === 0;
  if (!isLoss) told.push(...unseen);
  if (told.length > 0)
    await context.tell("warning", describeOverwritten(environment, told));
  if (differences.length > 0) {
    const inForce = (await rulesInForce(context, environment)) ?? answer;
    throw new IncompleteError(
      environment,
      {
        ...writtenTo(environment, inForce),
        rules: toRuleSetState(fromService(inForce)),
      },
      new Error(
        `The service answered other filtering rules than those sent to environment ${environment}:\n` +
          `${showSteps(differences)}\n` +
          `The state has what is in force now, and the next update tries again.`,
      ),
    );
  }
  const written = writtenTo(environment, answer);
  if (!isLoss) return written;
  throw new IncompleteError(
    environment,
    { ...written, rules: toRuleSetState(declared) },
    new Error(describeLost(environment, unseen)),
  );
}

/**
 * The rules that somebody wrote after `before` was listed, and that are out of
 * force by the write: seen meanwhile, no part of its answer, and not in force
 * any more. Those written after it are still there.
 */
async function lostUnseen(
  context: OperationContext,
  { environment, declared }: Write,
  before: Rules,
  meanwhile: Rules,
  answer: Rules,
): Promise<PlacedRule[]> {
  const written = idsOf(answer);
  const found = rulesOfOthers(meanwhile, lookAt(before), declared).filter(
    ({ id }) => !written.has(id),
  );
  if (found.length === 0) return [];
  const inForce = await rulesInForce(context, environment).catch(() => []);
  const there = idsOf(inForce ?? []);
  return found.filter(({ id }) => !there.has(id));
}

const idsOf = (rules: Rules) => new Set(rules.map(({ id }) => id));

/** The outputs after a write: the rules in force are its own, and the last seen. */
function writtenTo(environment: string, rules: Rules) {
  const ids = idsByName(rules);
  return { environmentId: environment, ruleIds: ids, seenRuleIds: ids };
}

/**
 * Overwrites. A call without a clear answer is settled by looking which rules
 * are in force: the declared ones, under IDs that were not there before.
 */
function overwrite(
  context: OperationContext,
  { environment, declared: rules, before }: Write,
): Promise<Rules> {
  const { filteringRules } = context.client;
  return settleByLooking(
    () => filteringRules.bulk({ environment, mode: "overwrite", rules }),
    async () => {
      const inForce = before && (await rulesInForce(context, environment));
      if (!inForce) return undefined;
      const ids = idsOf(before);
      const isDone =
        findSteps(rules, fromService(inForce)).length === 0 &&
        !inForce.some(({ id }) => ids.has(id));
      return isDone ? inForce : undefined;
    },
  );
}
