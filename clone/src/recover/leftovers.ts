import { NotFoundError, type Client } from "@devid/sdk";
import { objectSummary, type ObjectSummary } from "./format-recovery";
import type { Recovery } from "./recover-stack";
import type { StackDeployment } from "./recovered-state";

/** An object that an interrupted update left behind. */
export interface Leftover {
  readonly object: ObjectSummary;
  /** Deletes the object. It is no error if the object is gone already. */
  readonly delete: () => Promise<void>;
}

/** How an object of a kind is deleted. Environments are missing, because they may contain objects. */
const DELETES: Readonly<
  Record<string, (client: Client, id: string) => Promise<unknown>>
> = {
  ApiKey: (client, id) => client.apiKeys.delete(id),
  Webhook: (client, id) => client.webhooks.delete(id),
};

/**
 * The API keys and webhooks that an interrupted update of the stack may have left
 * behind. No resource of the state has them, and each equals the object of a resource
 * in the state. Another stack or a person may have made them, so the user must decide.
 */
export function leftoversOf(
  { workspaces }: Recovery,
  { deployment }: StackDeployment,
): Leftover[] {
  const held = new Set((deployment.resources ?? []).map(({ id }) => id));
  return workspaces.flatMap(({ workspace, client, unclaimed }) =>
    unclaimed.flatMap(({ kind, object, duplicateOf }): Leftover[] => {
      const deleteOf = DELETES[kind.kind];
      const { clone } = kind.definition;
      const isLeftover =
        duplicateOf?.evidence === "state" &&
        !held.has(object.id) &&
        // No program can have made such an object, for example a legacy webhook.
        !clone?.obstacle?.(object.outputs, []);
      if (!isLeftover || !deleteOf) return [];
      return [
        {
          object: objectSummary(workspace, kind, object),
          delete: async () => {
            try {
              await deleteOf(client, object.id);
            } catch (error) {
              if (!(error instanceof NotFoundError)) throw error;
            }
          },
        },
      ];
    }),
  );
}
