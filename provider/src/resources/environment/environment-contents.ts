import { DevidError, NotFoundError } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";
import { describeCandidate } from "../../definition/find-one";
import { decide, type Others } from "../../ownership/decisions";
import { onlyOneIn } from "../../ownership/guard";
import { everyItem, orMissing } from "../../session/answers";
import { listInForce } from "../filtering-rule-set/rules-in-force";

/** An environment stays, because of what is in it. */
export class EnvironmentContentsError extends DevidError {
  override readonly name = "EnvironmentContentsError";
}

/** An object that belongs to an environment. */
interface Content {
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** How resources of the program have it. */
  readonly others: Others;
}

/**
 * Deletes an environment that is empty. The service would take webhooks, rules and
 * disabled API keys along without a word (docs/assumptions.md, A26), so the delete is
 * refused while the environment has any that this command does not delete. Those that
 * `deleteContents` names go with it. Its encryption key always does.
 * @throws EnvironmentContentsError which lists the objects
 */
export async function deleteEnvironment(
  context: OperationContext,
  environment: {
    readonly id: string;
    readonly name: string;
    readonly deleteContents: readonly string[];
  },
): Promise<void> {
  const { client, log } = context;
  const { id, name, deleteContents } = environment;
  const contents = await contentsLeft(context, id);
  const declared = contents.filter(
    ({ others }) => decide("delete with environment", others) === "is refused",
  );
  const unnamed = contents.filter((one) => !deleteContents.includes(one.id));
  const title = `Environment ${id} (${JSON.stringify(name)})`;
  if (declared.length > 0)
    throw new EnvironmentContentsError(
      `${title} was not deleted: the program declares objects in it, which would be lost with it:${linesOf(declared)}\n` +
        `Nothing of the environment was changed. Take them out of the program, too, or leave the environment in it.`,
    );
  if (contents.length === 0) return client.environments.delete(id);
  if (unnamed.length > 0)
    throw new EnvironmentContentsError(
      `${title} was not deleted: it has objects that this command does not delete, and that would be lost with it:${linesOf(unnamed)}\n` +
        `None of them was changed. Delete in the dashboard what nobody needs, and run this again; what is in use needs another environment first.\n` +
        `Only what no resource of any stack has may go with the environment. To have that deleted, give the Environment deleteContents: ${JSON.stringify(contents.map((one) => one.id))}, run pulumi up --target with its URN, which pulumi stack --show-urns prints, and then delete the environment.`,
    );
  await log(
    "info",
    `${title} is deleted with what is in it, as its deleteContents says:${linesOf(contents)}`,
  );
  const enabled = contents.filter(
    ({ singular, outputs }) =>
      singular === API_KEY && outputs.status !== "disabled",
  );
  // The service deletes no environment that an enabled key uses. What is disabled can
  // be enabled again if the delete fails; a deleted key is gone.
  for (const key of enabled)
    await orMissing(client.apiKeys.update(key.id, { status: "disabled" }));
  try {
    await client.environments.delete(id);
  } catch (error) {
    const isGone = error instanceof NotFoundError;
    if (enabled.length === 0 || isGone || !(error instanceof Error))
      throw error;
    throw new EnvironmentContentsError(
      `${error.message}\nThese API keys of the environment were disabled before; enable them again if it is to stay: ${enabled.map((key) => key.id).join(", ")}.`,
      { cause: error },
    );
  }
}

/**
 * What an environment has once the other deletes of this command are done. A program
 * that names the environment by its ID instead of a reference has them run at the same
 * time.
 */
async function contentsLeft(
  context: OperationContext,
  id: string,
): Promise<Content[]> {
  const { deletions, signal } = context.session;
  for (;;) {
    const { ended } = deletions;
    const contents = await contentsOf(context, id);
    if (contents.length === 0) return contents;
    await deletions.settled(signal);
    if (deletions.ended === ended) return contents;
  }
}

const API_KEY = "API key";

async function contentsOf(
  context: OperationContext,
  environment: string,
): Promise<Content[]> {
  const { client, session } = context;
  const { apiKeys, webhooks } = client;
  const isInIt = (object: { readonly environment?: string | null }) =>
    object.environment === environment;
  // A destroy of many environments reads each list once for all of them.
  const [keys, hooks, rules] = await Promise.all([
    session.reads.part(
      apiKeys,
      () => everyItem(apiKeys.listAll({ environment })),
      isInIt,
    ),
    session.reads.part(
      webhooks,
      () => everyItem(webhooks.listAll({ environment })),
      isInIt,
    ),
    listInForce(context, environment, { isRefresh: true }),
  ]);
  const othersOf = (object: string) =>
    session.ledger.others("delete with environment", object, {});
  const content = (
    singular: string,
    { id, ...outputs }: { readonly id: string },
    object = id,
  ): Content => ({ singular, id, outputs, others: othersOf(object) });
  const sealing = onlyOneIn(environment, "EncryptionKey");
  const ruleSet = onlyOneIn(environment, "FilteringRuleSet");
  // The encryption key goes with its environment, unless a resource has it.
  const sealingKeys =
    othersOf(sealing) === "nobody"
      ? []
      : await everyItem(client.encryptionKeys.listAll({ environment }));
  return [
    ...sealingKeys
      .filter(isInIt)
      .map((key) => content("encryption key", key, sealing)),
    ...keys.filter(isInIt).map((key) => content(API_KEY, key)),
    ...hooks.filter(isInIt).map((hook) => content("webhook", hook)),
    ...(rules ?? [UNLISTED_RULES]).map((rule) =>
      content("filtering rule", rule, ruleSet),
    ),
  ];
}

/** What stands for the rules of an environment where the service does not list them: there may be any. */
const UNLISTED_RULES = {
  id: "rules",
  description: "any number: the service does not list them",
};

const MOST_SHOWN = 20;

/** The objects, a line for each, without what is the same for all. */
function linesOf(contents: readonly Content[]): string {
  const lines = contents
    .slice(0, MOST_SHOWN)
    .map(({ singular, id, outputs }) => {
      const { environment: _, legacy, ...shown } = outputs;
      const described = {
        id,
        outputs: { ...shown, ...(legacy === true && { legacy }) },
      };
      return `${singular} ${describeCandidate(described)}`;
    });
  const left = contents.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [...lines, ...more].map((line) => `\n  ${line}`).join("");
}
