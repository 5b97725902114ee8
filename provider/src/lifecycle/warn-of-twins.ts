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

/**
 * Warns about objects that are like the one that was just made. An update that was
 * killed may have made them: its state does not know what it created last. Objects
 * that this run knows to be of another resource do not count. The objects of a kind
 * are listed once in a session, after its first creation; a stack that has nothing
 * in its state is new, and costs no call.
 */
export async function warnOfTwins(
  definition: ResourceDefinition,
  { session, client, log }: OperationContext,
  made: FoundObject,
): Promise<void> {
  const { kind, singular, adoption, inputs } = definition;
  if (!adoption || !session.hasState) return;
  const listed = await session
    .once(`all of ${kind}`, () => everyItem(definition.list(client)))
    // A warning that cannot be given must not fail the creation.
    .catch(() => []);
  const fields = Object.entries(inputs.shape) as [string, z.ZodType][];
  const telling = fields
    .filter(([name, field]) => {
      const { immutable, local, references } = fieldMeta(field);
      return name === adoption.by || (!local && (immutable || references));
    })
    .map(([name]) => name);
  const all = listed.map(({ outputs }) => outputs);
  const twins = listed.filter(
    ({ id, outputs }) =>
      id !== made.id &&
      // No program can have made such an object, for example a legacy webhook.
      !definition.clone?.obstacle?.(outputs, all) &&
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
