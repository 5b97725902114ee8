/**
 * A value that adapters and the lifecycle exchange: JSON, where any part may be
 * unknown or secret. Each adapter translates between
 * these values and its own protocol.
 */
export type Value = unknown;

/** The inputs or the state of a resource. */
export type Properties = Readonly<Record<string, Value>>;

/** The same without secrets around the values. */
export type Values = Readonly<Record<string, unknown>>;

/** The class of `UNKNOWN`. */
class Unknown {
  toJSON(): string {
    return "(known after the update)";
  }
}

/** Stands for a value that a preview does not know yet. */
export const UNKNOWN = new Unknown();

/** A value that is encrypted in state and never shown. It may be `UNKNOWN`. */
export class Secret {
  constructor(readonly value: Value) {}
}

/**
 * The member of a record whose names come from users, such as the names of rules.
 * Reading `record.constructor` would find what every object inherits.
 */
export const ownMember = <T>(
  record: Readonly<Record<string, T>>,
  name: string,
): T | undefined => (Object.hasOwn(record, name) ? record[name] : undefined);

/** Whether a value, or any part of it, is unknown. */
export function containsUnknown(value: Value): boolean {
  return someWithin(value, (part) => part === UNKNOWN);
}

/** Whether a value, or any part of it, is a secret. */
export function containsSecret(value: Value): boolean {
  return someWithin(value, (part) => part instanceof Secret);
}

/** The value with secrets unwrapped; unknown parts stay `UNKNOWN`. */
export const bare = (value: Value): Value =>
  mapParts(value, (part) => (part instanceof Secret ? bare(part.value) : part));

/**
 * A value with changed parts, from the outside in: `change` gets each part with its
 * path. The parts of a part that it returns unchanged are walked, too.
 */
export function mapParts(
  value: Value,
  change: (part: Value, path: readonly PropertyKey[]) => Value,
  path: readonly PropertyKey[] = [],
): Value {
  const changed = change(value, path);
  if (changed !== value) return changed;
  const walk = (part: Value, name: PropertyKey) =>
    mapParts(part, change, [...path, name]);
  if (Array.isArray(value)) return value.map(walk);
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, walk(part, name)]),
      )
    : value;
}

/**
 * Properties with secrets unwrapped, and the names of those that hold a
 * secret. A member that is null counts as absent: a YAML program passes null for an
 * output without a value.
 */
export function bareProperties(properties: Properties): {
  values: Record<string, unknown>;
  secrets: ReadonlySet<string>;
} {
  const names = Object.keys(properties).filter((name) =>
    containsSecret(properties[name]),
  );
  return {
    values: without(null, bare(properties)) as Record<string, unknown>,
    secrets: new Set(names),
  };
}

/** A value without the members of its objects that are absent, at any depth, and without undefined items. */
export function without(absent: null | undefined, value: Value): Value {
  if (Array.isArray(value))
    return value
      .filter((one) => one !== undefined)
      .map((one) => without(absent, one));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, one]) => one !== absent);
  return Object.fromEntries(
    members.map(([name, one]) => [name, without(absent, one)]),
  );
}

/** Unwrapped properties with the named ones as secrets, except those that are unknown. */
export function withSecrets(
  values: Properties,
  names: Iterable<string>,
): Properties {
  const secrets = new Set(names);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secrets.has(name) && value !== UNKNOWN ? new Secret(value) : value,
    ]),
  );
}

/** A value for messages, in which words stand for the unknown parts. */
export function nameUnknown<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function someWithin(value: Value, is: (part: Value) => boolean): boolean {
  if (is(value)) return true;
  if (value instanceof Secret) return someWithin(value.value, is);
  if (Array.isArray(value)) return value.some((item) => someWithin(item, is));
  return (
    isRecord(value) && Object.values(value).some((item) => someWithin(item, is))
  );
}

/** Whether a value has members by name: it is neither a list nor unknown. */
export const isRecord = (value: Value): value is Record<string, Value> =>
  typeof value === "object" &&
  value !== null &&
  value !== UNKNOWN &&
  !Array.isArray(value);
