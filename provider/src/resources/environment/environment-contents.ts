import { DevidError } from "@devid/sdk";
import type { z } from "zod";
import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../../definition/define-resource";
import { fieldMeta } from "../../definition/field";
import { describeCandidates } from "../../definition/find-one";
import { decide } from "../../ownership/decisions";
import { onlyOneIn } from "../../ownership/ledger";
import { everyItem } from "../../session/answers";

/** An environment was not deleted, because it still has objects. */
export class EnvironmentContentsError extends DevidError {
  override readonly name = "EnvironmentContentsError";
}

interface Content extends FoundObject {
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  /** The ledger's name for the object. */
  readonly object: string;
  /**
   * Whether it is in use, as an enabled API key is. No delete of an environment disables
   * it, because a resource that a destroy with a target does not see may declare it.
   */
  readonly isInUse: boolean;
}

const DELETE = "delete with environment";

/**
 * Deletes an environment. The service would also delete its webhooks, rules and
 * disabled API keys without a message (docs/assumptions.md, A26). So the delete is
 * refused while the environment has objects, except the encryption key and the objects
 * in `deleteContents` that are no enabled API key. A destroy does not tell a provider
 * which of them the stack has, and whether the engine deletes them later.
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
  const { ledger } = context.session;
  const { id, name, deleteContents } = environment;
  const contents = await contentsLeft(context, id);
  const declared = contents.filter(
    ({ object }) =>
      decide(DELETE, ledger.others(DELETE, object, {})) === "is refused",
  );
  const kept = contents.filter(
    ({ id, isInUse }) => isInUse || !deleteContents.includes(id),
  );
  const title = `Environment ${id} (${JSON.stringify(name)})`;
  if (declared.length > 0)
    throw new EnvironmentContentsError(
      `${title} was not deleted, because the program declares objects in it that would be lost with it:${linesOf(declared)}\n` +
        `Nothing in the environment was changed. Remove them from the program, too, or keep the environment in it.`,
    );
  if (contents.length === 0) return client.environments.delete(id);
  if (kept.length > 0)
    throw new EnvironmentContentsError(
      `${title} was not deleted, because it has objects that would be lost with it:${linesOf(kept)}\n` +
        `None of them was changed.\n` +
        `- Objects of this stack are deleted before the environment: run the same command without --parallel 1. If it had no such option, run it with --continue-on-error, which deletes them, and then once more. If the program gives their environment as a reference instead of an ID, Pulumi deletes them first by itself.\n` +
        `- Objects of other stacks, or of none: delete in the dashboard those that nobody needs, replace those in use by objects in another environment, and run this again.\n` +
        `- Objects that no resource of any stack has can be deleted with the environment, except enabled API keys, which may be in use. To have them deleted, disable such keys in the dashboard, give the Environment deleteContents: ${JSON.stringify(contents.map((one) => one.id))}, run pulumi up without --target, which refuses objects that a resource of the program has, and then delete the environment.`,
    );
  await log(
    "info",
    `${title} is deleted with these objects in it, as its deleteContents says:${linesOf(contents)}`,
  );
  await client.environments.delete(id);
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

/**
 * The objects in an environment, of every kind that refers to environments. An object
 * that goes along with the environment counts only if a resource has it.
 */
async function contentsOf(
  context: OperationContext,
  environment: string,
): Promise<Content[]> {
  const { ledger, settings } = context.session;
  const found = await Promise.all(
    Object.values(settings.kinds).map(async (load) => {
      const kind = (await load()) as ResourceDefinition;
      if (environmentFields(kind).length === 0) return [];
      const { singular, inEnvironment } = kind;
      const only = kind.onePerEnvironment
        ? onlyOneIn(environment, kind.kind)
        : undefined;
      const objects = inEnvironment?.goesAlong
        ? [{ id: `of ${environment}`, outputs: {} }]
        : await (inEnvironment?.find?.(context, environment) ??
            listed(kind, context, environment));
      return objects.map((one) => ({
        singular,
        ...one,
        object: only ?? one.id,
        isInUse: inEnvironment?.isInUse?.(one.outputs) ?? false,
        counts: !inEnvironment?.goesAlong,
      }));
    }),
  );
  // The ledger is asked last: a resource may take an object over while the lists are read.
  return found
    .flat()
    .filter(({ counts, object }) => counts || ledger.holder(object));
}

/** The outputs of a kind that hold the ID of an environment. */
const environmentFields = ({ inputs }: ResourceDefinition) =>
  Object.entries(inputs.shape).flatMap(([name, field]) => {
    const { references, computedAs = name } = fieldMeta(field as z.ZodType);
    return references === "Environment" ? [computedAs] : [];
  });

/** The objects of a kind that name an environment. A destroy of many environments reads each list once for all of them. */
async function listed(
  kind: ResourceDefinition,
  { client, session }: OperationContext,
  environment: string,
): Promise<readonly FoundObject[]> {
  const { signal } = session;
  const names = environmentFields(kind);
  const all = await session.once(`the list of ${kind.kind}`, () =>
    Promise.resolve({ listAll: () => kind.list(client, signal) }),
  );
  const isInIt = ({ outputs }: FoundObject) =>
    names.some((name) => outputs[name] === environment);
  const found = await session.reads.part(
    all,
    () => everyItem(kind.list(client, signal, undefined, environment)),
    isInIt,
  );
  return found.filter(isInIt);
}

/** The objects, a line for each, without the columns that are the same for all. */
const linesOf = (contents: readonly Content[]) =>
  describeCandidates(
    contents.map(({ singular, id, outputs }) => {
      const { environment: _, legacy, ...shown } = outputs;
      return {
        id: `${singular} ${id}`,
        outputs: { ...shown, ...(legacy === true && { legacy }) },
      };
    }),
  );
