// The engine's own form of values. This is JSON in which an object with a signature is
// a secret, and a special text is an unknown value.

/** Properties of a resource in the engine's form. */
export type Properties = Record<string, unknown>;

/** A secret in the engine's form. */
export interface SecretValue {
  value: unknown;
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** The text that stands for an unknown value. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A value as a secret. */
export const secretValue = (value: unknown): SecretValue =>
  isSecretValue(value)
    ? value
    : ({ [SIGNATURE]: SECRET, value } as SecretValue);

/** Whether a value as a whole is a secret. */
export const isSecretValue = (value: unknown): value is SecretValue =>
  typeof value === "object" &&
  value !== null &&
  (value as Properties)[SIGNATURE] === SECRET;

/** Whether a value is a secret, or holds one. */
export function containsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isSecretValue(value) || Object.values(value).some(containsSecret);
}

/** Replaces the secrets in a value. */
export function mapSecrets(
  value: unknown,
  change: (secret: unknown) => unknown,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isSecretValue(value)) return change(mapSecrets(value.value, change));
  if (Array.isArray(value)) return value.map((one) => mapSecrets(one, change));
  // Every call of every story runs this code. A list of entries would double the time.
  const mapped: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    mapped[name] = mapSecrets((value as Properties)[name], change);
  return mapped;
}

/** A value with its secrets in plain text. */
export const revealed = <T>(value: T): T =>
  mapSecrets(value, (secret) => secret) as T;

/** A value with its secrets masked, as Pulumi shows it. */
export const masked = (value: unknown): unknown =>
  mapSecrets(value, () => "[secret]");

/** A value without its unknown parts, as the engine sends it in an update. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((one) => one !== UNKNOWN_TEXT).map(withoutUnknown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== UNKNOWN_TEXT)
      .map(([name, member]) => [name, withoutUnknown(member)]),
  );
}

/** A copy that shares nothing. */
export const copyOf = <T>(value: T): T => copied(value) as T;

function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = (value as Properties)[name];
    if (member !== undefined) copy[name] = copied(member);
  }
  return copy;
}

/**
 * Marks the outputs as secret whose inputs are secret. The engine does so for a
 * provider that takes no secrets.
 */
export function annotateSecrets(outs: Properties, ins: Properties): void {
  for (const [name, given] of Object.entries(ins)) {
    if (!(name in outs)) continue;
    const out = outs[name];
    if (isPlainObject(out) && isPlainObject(given)) annotateSecrets(out, given);
    else if (!isSecretValue(out) && containsSecret(given))
      outs[name] = secretValue(out);
  }
}

const isPlainObject = (value: unknown): value is Properties =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !isSecretValue(value);
