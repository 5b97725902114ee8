import { DevidError, NotFoundError } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";
import { describeCandidate } from "../../definition/find-one";
import { decide, type Others } from "../../ownership/decisions";
import { onlyOneIn } from "../../ownership/ledger";
import { everyItem, orMissing } from "../../session/answers";
import { listInForce } from "../filtering-rule-set/rules-in-force";

/** An environment was not deleted, because it still has objects. */
export class EnvironmentContentsError extends DevidError {
  override readonly name = "EnvironmentContentsError";
}

/** An object that belongs to an environment. */
interface Content {
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What the ledger knows of other resources that have it. */
  readonly others: Others;
}

/**
 * Deletes an environment. The service would also delete its webhooks, rules and
 * disabled API keys without a message (docs/assumptions.md, A26). So the delete is
 * refused while the environment has objects that this command does not delete, except
 * objects in `deleteContents` and the encryption key.
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
 * The contents of an environment after the other deletes of this command. These deletes
 * may run at the same time if the program names the environment by a text instead of a
 * reference.
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

/** Where contents are looked for. */
interface Place {
  readonly context: OperationContext;
  readonly environment: string;
  /**
   * What is known about other resources with an object, by the ledger's name of the
   * object.
   */
  readonly othersOf: (object: string) => Others;
}

/**
 * Reads the objects of each kind in an environment. A test compares these kinds with
 * the kinds that refer to environments.
 */
export const CONTENTS_BY_KIND = {
  ApiKey: ({ context, ...place }: Place) =>
    listed(API_KEY, context, context.client.apiKeys, place),
  Webhook: ({ context, ...place }: Place) =>
    listed("webhook", context, context.client.webhooks, place),
  FilteringRuleSet: async ({ context, environment, othersOf }: Place) => {
    const rules = await listInForce(context, environment, { isRefresh: true });
    const others = othersOf(onlyOneIn(environment, "FilteringRuleSet"));
    return (rules ?? [UNLISTED_RULES]).map(({ id, ...outputs }) => {
      return { singular: "filtering rule", id, outputs, others };
    });
  },
  // The encryption key goes with its environment, unless a resource has it.
  EncryptionKey: async ({ context, environment, othersOf }: Place) => {
    const others = othersOf(onlyOneIn(environment, "EncryptionKey"));
    if (others === "nobody") return [];
    const { encryptionKeys } = context.client;
    const keys = await everyItem(encryptionKeys.listAll({ environment }));
    return keys
      .filter((key) => key.environment === environment)
      .map(({ id, ...outputs }) => {
        return { singular: "encryption key", id, outputs, others };
      });
  },
} satisfies Record<string, (place: Place) => Promise<readonly Content[]>>;

async function contentsOf(
  context: OperationContext,
  environment: string,
): Promise<Content[]> {
  const othersOf = (object: string) =>
    context.session.ledger.others("delete with environment", object, {});
  const place = { context, environment, othersOf };
  const { EncryptionKey, ...lists } = CONTENTS_BY_KIND;
  const found = await Promise.all(
    Object.values(lists).map((read) => read(place)),
  );
  // Last, because a resource may take the key over while the lists are read.
  return [...found.flat(), ...(await EncryptionKey(place))];
}

/** The objects of a kind that are in an environment. A destroy of many environments reads each list once for all of them. */
async function listed<
  R extends { readonly id: string; readonly environment?: string | null },
>(
  singular: string,
  { session }: OperationContext,
  collection: {
    listAll(filter?: { readonly environment: string }): AsyncIterable<R>;
  },
  { environment, othersOf }: Omit<Place, "context">,
): Promise<Content[]> {
  const isInIt = (object: R) => object.environment === environment;
  const found = await session.reads.part(
    collection,
    () => everyItem(collection.listAll({ environment })),
    isInIt,
  );
  return found.filter(isInIt).map(({ id, ...outputs }) => {
    return { singular, id, outputs, others: othersOf(id) };
  });
}

/** Stands for the rules of an environment if the service does not list them: there may be some. */
const UNLISTED_RULES = {
  id: "rules",
  description: "any number: the service does not list them",
};

const MOST_SHOWN = 20;

/** The objects, a line for each, without the columns that are the same for all. */
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
