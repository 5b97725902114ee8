import {
  DevidError,
  type Client,
  type EncryptionKey as EncryptionKeyAnswer,
} from "@devid/sdk";
import { EncryptionKeyUpdate, Status } from "@devid/sdk/wire";
import { bodyOf } from "../definition/request-body";
import { high, medium, switched } from "../definition/effects";
import { z } from "zod";
import {
  defineResource,
  objectsFrom,
  type ObjectContext,
  type OperationContext,
} from "../definition/define-resource";
import { IncompleteError, OperationError } from "../definition/errors";
import {
  chosenReference,
  expected,
  local,
  managedIfSet,
  secret,
  stable,
  time,
} from "../definition/field";
import { withoutNulls, everyItem } from "../session/answers";
import { shows } from "../session/list-snapshot";
import { resolveAmbiguous } from "../session/resolve-ambiguous";

/** A rotation was not reverted, because it is not the one in the state; nothing was changed. */
export class RotationError extends DevidError {
  override readonly name = "RotationError";
}

const inputs = z.object({
  environment: chosenReference("Environment", "environmentId").describe(
    "ID of the environment whose key this is. Omitted on creation: the default environment. Leaving it out later changes nothing.",
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
      "Any text, for example a date. A new text rotates the key; the previous text reverts that rotation. Leaving it out later changes nothing.",
    ),
});

const NOT_SHOWN =
  "the service has not shown it. Run `pulumi refresh --run-program`.";

const outputs = inputs.extend({
  environmentId: expected(stable(z.string()), NOT_SHOWN)
    .optional()
    .describe("ID of the environment that the key belongs to."),
  token: expected(secret(z.string()), NOT_SHOWN)
    .optional()
    .describe("Current key, base64 of 32 bytes."),
  previousToken: secret(z.string())
    .optional()
    .describe("Key before the last rotation."),
  nextToken: secret(z.string())
    .optional()
    .describe("Key after the next rotation."),
  rotatedTo: local(z.string())
    .optional()
    .describe("The last `rotation`, even after it was left out."),
  rotationBefore: local(z.string())
    .optional()
    .describe(
      "The text of `rotation` that reverts the last rotation; empty when there was none before, absent when nothing can be reverted.",
    ),
  tokenBefore: local(secret(z.string()))
    .optional()
    .describe(
      "Key after going back to `rotationBefore`; absent when nothing can be reverted.",
    ),
  adoptedStatus: local(Status)
    .optional()
    .describe(
      "Status of the key before the program set one; a destroy restores it. Absent while the program sets none.",
    ),
  switchedAt: local(z.string())
    .optional()
    .describe(
      "When the key was last enabled and disabled, as of the program's last update; a destroy changes nothing if somebody has switched the key since.",
    ),
  createdAt: stable(time("Time of creation, ISO 8601.")),
  lastActivatedAt: time(),
  lastDeactivatedAt: time(),
  lastRotatedAt: time(),
});

type Outputs = z.output<typeof outputs>;

/**
 * The key that seals an environment's client results. Each environment has one
 * from the start, which a create takes over and a delete leaves in place
 * (docs/contract.md, "Encryption key record").
 */
export const EncryptionKey = defineResource({
  kind: "EncryptionKey",
  singular: "encryption key",
  effects: {
    create: () => [
      medium("results may be sealed with this key; readers need its secret"),
    ],
    delete: () => [
      high(
        "results are no longer sealed with this key, and those that are cannot be opened with a new one",
      ),
    ],
    replace: () => [
      high("results are sealed with another key; readers need its secret"),
    ],
    update: (change) =>
      switched(
        change,
        high("results are no longer sealed with this key"),
        medium("results are sealed with this key"),
      ),
  },
  description:
    "The encryption key of an environment, for sealed client results. Each environment has one from the start, which this resource takes over.",
  schemaVersion: 1,
  inputs,
  outputs,
  example: {
    name: "sealing",
    inputs: { status: "enabled" },
    output: "environmentId",
  },
  list: (client, signal, defaultEnvironment, environment) =>
    objectsFrom(
      client.encryptionKeys.listAll({ signal, environment }),
      (key) => {
        const environment = key.environment ?? defaultEnvironment;
        const outputs = fromWire({ ...key, environment });
        return { ...outputs, adoptedStatus: outputs.status };
      },
    ),
  inEnvironment: { goesAlong: true },
  insteadOfImport:
    "leave it out, because an EncryptionKey takes over what exists",
  title: ({ name, environmentId = "" }) => name ?? `of ${environmentId}`,
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
  clone: {
    about:
      "The encryption keys. Each environment has one from the start; it is taken over.",
    neededBy: () => "whoever opens sealed results",
  },
  async create({ client, session, inputs, assertAlone }) {
    const environment =
      inputs.environment ?? (await session.workspace()).workspace;
    const found = await onlyKeyOf(client, environment);
    assertAlone?.();
    const own = {
      rotatedTo: inputs.rotation,
      adoptedStatus: statusToGiveBack(found, inputs),
    };
    const outputs = { ...fromWire(found), ...own };
    // The change below may happen without an answer; the status to restore is known only now.
    return IncompleteError.guard({ id: found.id, outputs }, async () => {
      const set = await applyDeclared(client, found, inputs);
      const switchedAt = switchesOf(set);
      return {
        id: found.id,
        outputs: { ...fromWire(set), ...own, switchedAt },
      };
    });
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
    const { switchedAt } = last;
    const own = { rotatedTo, ...before, adoptedStatus, switchedAt };
    const outputs = { ...fromWire(key), rotation: inputs.rotation, ...own };
    // If the steps below fail, the rotation must not be repeated.
    return IncompleteError.guard({ id, outputs }, async () => {
      const set = await applyDeclared(client, key, inputs);
      // If somebody else has set the declared status, devid does not restore the old
      // status.
      const isOurs = key.status !== set.status || switchedAt === undefined;
      return {
        ...fromWire(set),
        ...own,
        ...(isOurs && { switchedAt: switchesOf(set) }),
      };
    });
  },
  async delete(context) {
    const { client, id, last } = context;
    const { adoptedStatus } = last;
    if (!adoptedStatus) return;
    const found = await client.encryptionKeys.get(id);
    if (found.status === adoptedStatus) return;
    if (wasSwitched(found, last))
      return leaveAsItIs(
        context,
        "Somebody has set its status since the last update",
      );
    await client.encryptionKeys.update(id, { status: adoptedStatus });
  },
  leave: (context) =>
    leaveAsItIs(
      context,
      "Its replacement, or another resource of this program, has it now",
    ),
});

/** Shows that a key stays as it is, and which status a delete would have restored. */
async function leaveAsItIs(
  { log, id, last }: ObjectContext<typeof outputs>,
  why: string,
): Promise<void> {
  const given = last.adoptedStatus;
  await log(
    "warning",
    `Encryption key ${id} stays as it is. ${why}` +
      (given
        ? `. Before the program took it over, it was ${given}. To have that again, set it in the program or the dashboard.`
        : "."),
  );
}

/** Whether somebody enabled or disabled the key after the state was written. */
function wasSwitched(found: EncryptionKeyAnswer, last: Outputs): boolean {
  // A refresh writes the service's times into the state. A create that was only partly done has only these.
  return switchesOf(found) !== (last.switchedAt ?? switchesOf(last));
}

const switchesOf = ({
  lastActivatedAt,
  lastDeactivatedAt,
}: Pick<EncryptionKeyAnswer, "lastActivatedAt" | "lastDeactivatedAt">) =>
  `${lastActivatedAt ?? "never"}, ${lastDeactivatedAt ?? "never"}`;

async function onlyKeyOf(
  client: Client,
  environment: string,
): Promise<EncryptionKeyAnswer> {
  const keys = await everyItem(client.encryptionKeys.listAll({ environment }));
  const [key] = keys;
  if (key && keys.length === 1) return key;
  throw new OperationError(
    `Environment ${environment} has ${keys.length} encryption keys${keys.length ? ` (${keys.map((k) => k.id).join(", ")})` : ""}; exactly one can be adopted. ` +
      `Check that the environment exists in region ${client.configuration.region}.`,
  );
}

/** The status to restore on delete: the present one, if the program sets one. */
function statusToGiveBack(
  key: EncryptionKeyAnswer,
  declared: z.output<typeof inputs>,
): Outputs["adoptedStatus"] {
  return declared.status && (key.status as Outputs["status"]);
}

/** Updates the fields that the program declares, where they differ. */
async function applyDeclared(
  client: Client,
  key: EncryptionKeyAnswer,
  declared: z.output<typeof inputs>,
): Promise<EncryptionKeyAnswer> {
  const wanted = bodyOf(EncryptionKeyUpdate, declared);
  const differs = (Object.keys(wanted) as (keyof typeof wanted)[]).some(
    (field) => wanted[field] !== key[field],
  );
  return differs ? client.encryptionKeys.update(key.id, wanted) : key;
}

/**
 * Rotates the key once. If the answer was lost, the token shows whether the key was
 * rotated.
 */
async function rotate(
  { client, log }: OperationContext,
  before: EncryptionKeyAnswer,
  last: Outputs,
): Promise<EncryptionKeyAnswer> {
  if (last.token !== undefined && last.token !== before.token)
    await log(
      "warning",
      `Somebody else has rotated encryption key ${before.id} since the program last read it. This update rotated it once more, so previousToken opens only results that were sealed since then.`,
    );
  return resolveAmbiguous(
    () => client.encryptionKeys.rotate(before.id),
    async () => {
      const after = await client.encryptionKeys.get(before.id);
      return after.token === before.token ? undefined : after;
    },
  );
}

/**
 * Reverts the rotation that the program made, once.
 * @throws RotationError when the service has other tokens than the state, or when a
 * refresh changed those in the state: the revert would undo somebody else's rotation
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
    last.tokenBefore === last.previousToken;
  if (!isKnown)
    throw new RotationError(
      `The rotation of encryption key ${before.id} was not reverted, because somebody else has rotated or reverted the key since: its tokens have changed. This update changed nothing.\n` +
        `To see its present state, run pulumi refresh --run-program. Then set rotation back to "${last.rotatedTo ?? ""}", which leaves the key as it is, or give it a new text, which rotates it again. ` +
        `To undo somebody else's rotation, revert it in the dashboard.`,
    );
  return resolveAmbiguous(
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
