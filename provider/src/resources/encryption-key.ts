import type { Client, EncryptionKey as EncryptionKeyAnswer } from "@devid/sdk";
import { Status } from "@devid/sdk/wire";
import { z } from "zod";
import {
  defineResource,
  foundAmong,
  type OperationContext,
} from "../definition/define-resource";
import { RotationError } from "../definition/errors";
import {
  expected,
  immutable,
  local,
  managedIfSet,
  references,
  secret,
  stable,
} from "../definition/field";
import { IncompleteError } from "../definition/incomplete-error";
import { withoutNulls } from "../definition/without-nulls";
import { OwnershipError } from "../session/claims";
import { everyItem } from "../session/every-item";
import { shows } from "../session/list-snapshot";
import { settleByLooking } from "../session/settle-by-looking";

const inputs = z.object({
  environment: immutable(
    references("Environment", managedIfSet(z.string().min(1), "environmentId")),
  )
    .optional()
    .describe(
      "ID of the environment whose key this is. Omitted on creation: the default environment. Left out later, nothing moves.",
    ),
  name: managedIfSet(z.string().min(1))
    .optional()
    .describe("Name. Omitted: left as it is."),
  description: managedIfSet(z.string())
    .optional()
    .describe("Description. Omitted: left as it is."),
  status: managedIfSet(Status)
    .optional()
    .describe("`enabled` seals client results. Omitted: left as it is."),
  rotation: managedIfSet(local(z.string()), "rotatedTo")
    .optional()
    .describe(
      "Any text, a date for example. A new text rotates the key; going back to the text before reverts the rotation. Leaving it out does nothing.",
    ),
});

const outputs = inputs.extend({
  environmentId: expected(
    stable(z.string()),
    "the service has not told it. Run `pulumi refresh`.",
  )
    .optional()
    .describe("ID of the environment that the key belongs to."),
  token: expected(
    secret(z.string()),
    "the service has not shown it. Run `pulumi refresh`.",
  )
    .optional()
    .describe("Current key, base64 of 32 bytes."),
  previousToken: secret(z.string())
    .optional()
    .describe("Key before the last rotation."),
  nextToken: secret(z.string())
    .optional()
    .describe("Key that the next rotation brings."),
  rotatedTo: local(z.string())
    .optional()
    .describe("The last `rotation`, also after it was left out."),
  rotationBefore: local(z.string())
    .optional()
    .describe(
      "The `rotation` that reverts; empty when there was none, absent when there is nothing to revert.",
    ),
  tokenBefore: local(secret(z.string()))
    .optional()
    .describe(
      "Key that going back to `rotationBefore` brings back; absent when there is nothing to revert.",
    ),
  adoptedStatus: local(Status)
    .optional()
    .describe(
      "Status that the key had before the program set one; it gets it back on destroy. Absent while the program sets none.",
    ),
  createdAt: stable(z.string())
    .optional()
    .describe("Time of creation, ISO 8601."),
  lastActivatedAt: z.string().optional().describe("ISO 8601."),
  lastDeactivatedAt: z.string().optional().describe("ISO 8601."),
  lastRotatedAt: z.string().optional().describe("ISO 8601."),
});

type Outputs = z.output<typeof outputs>;

/**
 * The key that seals an environment's client results. Each environment has
 * one from the start: creation adopts it, destruction gives it back
 * (docs/contract.md, "Encryption key record").
 */
export const EncryptionKey = defineResource({
  kind: "EncryptionKey",
  singular: "encryption key",
  description:
    "The encryption key of an environment, for sealed client results. It exists already and is adopted.",
  schemaVersion: 1,
  inputs,
  outputs,
  list: (client, signal, defaultEnvironment) =>
    foundAmong(client.encryptionKeys.listAll({ signal }), (key) => {
      const environment = key.environment ?? defaultEnvironment;
      const outputs = fromWire({ ...key, environment });
      return { ...outputs, adoptedStatus: outputs.status };
    }),
  title: ({ name, environmentId = "" }) => name ?? `of ${environmentId}`,
  clone: {
    about:
      "The encryption keys. Each environment has one from the start; it is adopted.",
    onePerEnvironment: "key",
    inDefaultEnvironment: () => true,
    obstacle({ environment }, all) {
      const { length } = all.filter((key) => key.environment === environment);
      return length === 1
        ? undefined
        : {
            reason: `its environment has ${length} of them, and only a single one can be adopted`,
          };
    },
    notCopied: [
      {
        heading: "Encryption keys",
        text: "Each environment has its own from the start. A copy takes over name, description and status, not the key: whoever opens sealed results needs the one of that region.",
      },
    ],
  },
  async create({ client, session, inputs }) {
    const environment =
      inputs.environment ?? (await session.workspace()).workspace;
    const found = await onlyKeyOf(client, environment);
    if (session.claims.other("EncryptionKey", found.id, undefined))
      throw new OwnershipError(
        `Encryption key ${found.id} of environment ${environment} was not taken over: another EncryptionKey of this program has it. Declare one for each environment.`,
      );
    const own = {
      rotatedTo: inputs.rotation,
      adoptedStatus: statusToGiveBack(found, inputs),
    };
    const outputs = { ...fromWire(found), ...own };
    // A cut-off change may have been made: the status to give back is known only now.
    return IncompleteError.guard({ id: found.id, outputs }, async () => ({
      id: found.id,
      outputs: { ...fromWire(await manage(client, found, inputs)), ...own },
    }));
  },
  async read({ client, session, id, last }) {
    const found = await session.reads.find(client.encryptionKeys, id, (key) =>
      shows(["token", "previousToken", "nextToken"], key, last),
    );
    return found && fromWire(found);
  },
  async update(context) {
    const { client, id, inputs, last } = context;
    const was = last.rotatedTo ?? last.rotation ?? "";
    const wanted = inputs.rotation ?? was;
    const found = await client.encryptionKeys.get(id);
    const adoptedStatus = last.adoptedStatus ?? statusToGiveBack(found, inputs);
    const { key, ...before } =
      wanted === was
        ? {
            key: found,
            rotationBefore: last.rotationBefore,
            tokenBefore: last.tokenBefore,
          }
        : wanted === last.rotationBefore
          ? { key: await revert(client, found, last) }
          : {
              key: await rotate(context, found, last),
              rotationBefore: was,
              tokenBefore: found.token ?? undefined,
            };
    const rotatedTo = inputs.rotation ?? last.rotatedTo ?? last.rotation;
    const own = { rotatedTo, ...before, adoptedStatus };
    const outputs = { ...fromWire(key), rotation: inputs.rotation, ...own };
    // The rotation is done: it must not be done again because what follows fails.
    return IncompleteError.guard({ id, outputs }, async () => ({
      ...fromWire(await manage(client, key, inputs)),
      ...own,
    }));
  },
  async delete(context) {
    const { client, id, last } = context;
    const { adoptedStatus } = last;
    if (!adoptedStatus) return;
    const found = await client.encryptionKeys.get(id);
    if (found.status === adoptedStatus) return;
    if (wasSwitched(found, last))
      return leaveAsItIs(context, "Somebody has set its status since");
    await client.encryptionKeys.update(id, { status: adoptedStatus });
  },
  leave: (context) =>
    leaveAsItIs(context, "Another resource of this program has it now"),
});

/** Tells that a key stays as it is, and what status destroying would have given back. */
async function leaveAsItIs(
  { tell, id, last }: OperationContext & { id: string; last: Outputs },
  why: string,
): Promise<void> {
  const given = last.adoptedStatus;
  await tell(
    "warning",
    `Encryption key ${id} stays as it is. ${why}` +
      (given
        ? `; before the program took it over it was ${given}. Set that in the program or the dashboard if it is meant.`
        : "."),
  );
}

/** Whether the key was enabled or disabled since the state was written. */
function wasSwitched(found: EncryptionKeyAnswer, last: Outputs): boolean {
  const now = fromWire(found);
  return (
    now.lastActivatedAt !== last.lastActivatedAt ||
    now.lastDeactivatedAt !== last.lastDeactivatedAt
  );
}

async function onlyKeyOf(
  client: Client,
  environment: string,
): Promise<EncryptionKeyAnswer> {
  const keys = await everyItem(client.encryptionKeys.listAll({ environment }));
  const [key] = keys;
  if (key && keys.length === 1) return key;
  throw new Error(
    `Environment ${environment} has ${keys.length} encryption keys${keys.length ? ` (${keys.map((k) => k.id).join(", ")})` : ""}; exactly one can be adopted. ` +
      `Check that the environment exists in region ${client.configuration.region}.`,
  );
}

/** The status before the program took it over; none while it leaves the status alone. */
function statusToGiveBack(
  key: EncryptionKeyAnswer,
  declared: z.output<typeof inputs>,
): Outputs["adoptedStatus"] {
  return declared.status && (key.status as Outputs["status"]);
}

async function manage(
  client: Client,
  key: EncryptionKeyAnswer,
  { name, description, status }: z.output<typeof inputs>,
): Promise<EncryptionKeyAnswer> {
  const wanted = { name, description, status };
  const differs = (Object.keys(wanted) as (keyof typeof wanted)[]).some(
    (field) => wanted[field] !== undefined && wanted[field] !== key[field],
  );
  return differs ? client.encryptionKeys.update(key.id, wanted) : key;
}

/** Rotates, once: a call without a clear answer is settled by looking at the token. */
async function rotate(
  { client, tell }: OperationContext,
  before: EncryptionKeyAnswer,
  last: Outputs,
): Promise<EncryptionKeyAnswer> {
  if (last.token !== undefined && last.token !== before.token)
    await tell(
      "warning",
      `Somebody else has rotated encryption key ${before.id} since it was last read. It was rotated once more, so previousToken opens what was sealed since then, and nothing older.`,
    );
  return settleByLooking(
    () => client.encryptionKeys.rotate(before.id),
    async () => {
      const after = await client.encryptionKeys.get(before.id);
      return after.token === before.token ? undefined : after;
    },
  );
}

/**
 * Reverts the rotation that the state knows, once.
 * @throws RotationError when the service has other tokens than the state, or a
 * refresh has brought others into it: a revert would then take back a rotation
 * that is not the program's
 */
function revert(
  client: Client,
  before: EncryptionKeyAnswer,
  last: Outputs,
): Promise<EncryptionKeyAnswer> {
  const isKnown =
    before.token !== undefined &&
    before.token === last.token &&
    (before.previousToken ?? undefined) === last.previousToken &&
    // States of old versions have none.
    (last.tokenBefore ?? last.previousToken) === last.previousToken;
  if (!isKnown)
    throw new RotationError(
      `The rotation of encryption key ${before.id} was not reverted: its tokens are not those that the program's rotation left, so somebody else has rotated or reverted it since. Nothing was changed.\n` +
        `To see what it is now, run pulumi refresh. Then put rotation back to "${last.rotatedTo ?? ""}", which leaves the key as it is, or give it a new text, which rotates it again. ` +
        `To take back the rotation of somebody else, revert it in the dashboard.`,
    );
  return settleByLooking(
    () => client.encryptionKeys.revert(before.id),
    async () => {
      const after = await client.encryptionKeys.get(before.id);
      return after.token === before.previousToken ? after : undefined;
    },
  );
}

function fromWire(answer: EncryptionKeyAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  const environmentId = fields.environment;
  return { ...fields, environmentId } as Outputs;
}
