import type { Client } from "@devid/sdk";

/** A key that a server may use. */
export interface IssuedKey {
  readonly id: string;
  readonly token: string;
}

/** The state that ESC keeps between rotations, as a secret. Servers read `token`. */
export interface RotationState extends IssuedKey {
  /** The number of the rotation. The name of the key contains it. */
  readonly generation: number;
  /** The previous key. It stays valid until the next rotation. */
  readonly previous?: IssuedKey;
}

/**
 * Makes a new secret key and deletes the key of the rotation before the last. So two
 * keys are valid at any time, and servers that opened the environment before this
 * rotation keep working.
 *
 * The answer may not reach ESC. ESC then repeats the request with the same state. The
 * key of the lost answer has the name of the next generation, and nobody knows its
 * token. It is deleted first.
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

/** A person, or a rotation whose answer was lost, may already have deleted the key. */
async function deleteIfThere(client: Client, id: string): Promise<void> {
  for await (const key of client.apiKeys.listAll({ type: "secret" }))
    if (key.id === id) await client.apiKeys.delete(id);
}
