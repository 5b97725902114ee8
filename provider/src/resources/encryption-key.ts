import {
  type Client,
  type EncryptionKey as EncryptionKeyAnswer,
} from "@devid/sdk";
import { Status } from "@devid/sdk/management/wire";
import { z } from "zod";
import { environmentOrDefault } from "../session/default-environment";
import { defineResource } from "../definition/define-resource";
import {
  expected,
  immutable,
  local,
  managedIfSet,
  secret,
} from "../definition/field";
import { IncompleteError } from "../definition/incomplete-error";
import { shows } from "../session/list-snapshot";
import { settleByLooking } from "../session/settle-by-looking";
import { withoutNulls } from "../definition/without-nulls";

const inputs = z.object({
  environment: immutable(managedIfSet(z.string().min(1), "environmentId"))
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
  rotation: local(z.string())
    .optional()
    .describe(
      "Any text, a date for example. A new value rotates the key; going back to the value before reverts the rotation.",
    ),
});

const outputs = inputs.extend({
  environmentId: expected(
    z.string(),
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
  rotationBefore: local(z.string())
    .optional()
    .describe(
      "The `rotation` that reverts; empty when there was none, absent when there is nothing to revert.",
    ),
  adoptedStatus: local(Status)
    .optional()
    .describe(
      "Status that the key had before the program set one; it gets it back on destroy. Absent while the program sets none.",
    ),
  createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
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
  description:
    "The encryption key of an environment, for sealed client results. It exists already and is adopted.",
  schemaVersion: 1,
  inputs,
  outputs,
  async create({ client, inputs }) {
    const environment = await environmentOrDefault(client, inputs.environment);
    const found = await onlyKeyOf(client, environment);
    const adopted = { adoptedStatus: statusToGiveBack(found, inputs) };
    const outputs = { ...fromWire(found), ...adopted };
    // A cut-off change may have been made: the status to give back is known only now.
    return IncompleteError.guard({ id: found.id, outputs }, async () => ({
      id: found.id,
      outputs: { ...fromWire(await manage(client, found, inputs)), ...adopted },
    }));
  },
  async read({ client, reads, id, last }) {
    const found = await reads.find(client.encryptionKeys, id, (key) =>
      shows(["token", "previousToken", "nextToken"], key, last),
    );
    return found && fromWire(found);
  },
  async update({ client, id, inputs, last }) {
    const was = last.rotation ?? "";
    const wanted = inputs.rotation ?? "";
    const reverts = wanted !== was && wanted === last.rotationBefore;
    const found = await client.encryptionKeys.get(id);
    const key =
      wanted === was
        ? found
        : await move(client, found, reverts ? "revert" : "rotate");
    const rotationBefore =
      wanted === was ? last.rotationBefore : reverts ? undefined : was;
    const { rotation } = inputs;
    const adoptedStatus = last.adoptedStatus ?? statusToGiveBack(found, inputs);
    const own = { rotation, rotationBefore, adoptedStatus };
    const outputs = { ...fromWire(key), ...own };
    // The rotation is done: it must not be done again because what follows fails.
    return IncompleteError.guard({ id, outputs }, async () => ({
      ...fromWire(await manage(client, key, inputs)),
      ...own,
    }));
  },
  async delete({ client, id, last: { adoptedStatus } }) {
    if (adoptedStatus)
      await client.encryptionKeys.update(id, { status: adoptedStatus });
  },
});

async function onlyKeyOf(
  client: Client,
  environment: string,
): Promise<EncryptionKeyAnswer> {
  const keys: EncryptionKeyAnswer[] = [];
  for await (const key of client.encryptionKeys.listAll({ environment }))
    keys.push(key);
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

/** Rotates or reverts, once: a call without a clear answer is settled by looking whether the token moved. */
function move(
  client: Client,
  before: EncryptionKeyAnswer,
  direction: "rotate" | "revert",
): Promise<EncryptionKeyAnswer> {
  return settleByLooking(
    () => client.encryptionKeys[direction](before.id),
    async () => {
      const after = await client.encryptionKeys.get(before.id);
      return after.token === before.token ? undefined : after;
    },
  );
}

function fromWire(answer: EncryptionKeyAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  const environmentId = fields.environment;
  return { ...fields, environmentId } as Outputs;
}
