import { isDeepStrictEqual } from "node:util";
import { maskUrls } from "@devid/sdk";
import type { z } from "zod";
import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldMeta } from "../definition/field";
import { everyItem } from "../session/answers";

/** Lists the objects of a kind, once in a session: those that were there before its first creation. */
export async function objectsBefore(
  definition: ResourceDefinition,
  { session, client }: OperationContext,
): Promise<readonly FoundObject[]> {
  try {
    return await session.once(`objects before: ${definition.kind}`, () =>
      everyItem(definition.list(client)),
    );
  } catch {
    // A warning that cannot be given must not fail the creation.
    return [];
  }
}

/**
 * Warns about objects that were there before and are like the one that was just
 * made. An update that was killed may have made them: the state does not know what
 * it created last. Objects that this run knows to be of another resource do not
 * count.
 */
export async function warnOfTwins(
  definition: ResourceDefinition,
  { session, log }: OperationContext,
  made: FoundObject,
  before: readonly FoundObject[],
): Promise<void> {
  const { kind, singular, adoption, inputs } = definition;
  if (!adoption) return;
  const fields = Object.entries(inputs.shape) as [string, z.ZodType][];
  const telling = fields
    .filter(([name, field]) => {
      const { immutable, local, references } = fieldMeta(field);
      return name === adoption.by || (!local && (immutable || references));
    })
    .map(([name]) => name);
  const twins = before.filter(
    ({ id, outputs }) =>
      id !== made.id &&
      !session.knows(kind, id) &&
      telling.every((name) =>
        isDeepStrictEqual(outputs[name], made.outputs[name]),
      ),
  );
  if (twins.length === 0) return;
  const ids = twins.map(({ id }) => id).join(", ");
  const title = maskUrls(String(made.outputs[adoption.by]));
  await log(
    "warning",
    `The ${singular} ${made.id} was made, though the workspace had ${ids} with the same ${telling.join(", ")} already (${title}). ` +
      `An interrupted update may have made ${twins.length === 1 ? "that one" : "those"}, and no state knows of it: devid recover --add lists what to delete.`,
  );
}
