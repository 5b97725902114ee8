import type { Client } from "@devid/sdk";

/** A key that a server may use. */
export interface IssuedKey {
  readonly id: string;
  readonly token: string;
}

/** What ESC keeps between rotations, as a secret; servers read `token`. */
export interface RotationState extends IssuedKey {
  /** The number of the rotation, which is in the name of the key. */
  readonly generation: number;
  /** The key before: it stays valid until the next rotation. */
  readonly previous?: IssuedKey;
}

/**
 * Makes a new secret key and deletes the one before the last. So two keys are valid at any
 * time, and servers that opened the environment before this rotation keep working.
 *
 * ESC may never get the answer. It then asks again with the same state, and the key
 * that nobody knows the token of is the one with the name of the next generation: it
 * is deleted first.
 */
export async function rotate(
  client: Client,
  name: string,
  last: RotationState | null,
): Promise<RotationState> {
  const generation = (last?.generation ?? 0) + 1;
  const keyName = `${name} ${generation}`;
  for await (const key of client.apiKeys.listAll({ type: "secret" }))
    if (key.name === keyName) await client.apiKeys.delete(key.id);
  if (last?.previous) await deleteIfThere(client, last.previous.id);
  const { id, token } = await client.apiKeys.create({
    name: keyName,
    type: "secret",
  });
  if (!token)
    throw new Error(`The service answered no token for the key ${id}.`);
  return {
    generation,
    id,
    token,
    ...(last && { previous: { id: last.id, token: last.token } }),
  };
}

/** Somebody may have deleted it by hand, or a rotation whose answer was lost. */
async function deleteIfThere(client: Client, id: string): Promise<void> {
  for await (const key of client.apiKeys.listAll({ type: "secret" }))
    if (key.id === id) await client.apiKeys.delete(id);
}
