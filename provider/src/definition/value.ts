/**
 * Values as adapters and the lifecycle exchange them: JSON in which, at any
 * depth, a value may be unknown, a secret, or an output with what it depends on.
 * Each adapter maps these three to its wire form and back.
 */
export type Value = unknown;

/** Properties of a resource: inputs, or a state. */
export type Properties = Readonly<Record<string, Value>>;

/** The class of `UNKNOWN`. */
class Unknown {
  toJSON(): string {
    return "(known after the update)";
  }
}

/** Stands for a value that a preview does not know yet. */
export const UNKNOWN = new Unknown();

/** A value that is encrypted in state and never shown. */
export class Secret {
  constructor(readonly value: Value) {}
}

/** A value with what is known of where it comes from. */
export class OutputValue {
  constructor(
    /** `UNKNOWN` where it is not known yet. */
    readonly value: Value,
    readonly isSecret: boolean,
    /** URNs of the resources that it depends on. */
    readonly dependencies: readonly string[],
  ) {}
}

/** Whether a value is unknown, or holds something that is. */
export function containsUnknown(value: Value): boolean {
  return someWithin(value, (part) => part === UNKNOWN);
}

/** Whether a value is a secret, or holds one. */
export function containsSecret(value: Value): boolean {
  return someWithin(
    value,
    (part) =>
      part instanceof Secret || (part instanceof OutputValue && part.isSecret),
  );
}

/** The value without the wrapping of secrets and outputs; what is unknown stays `UNKNOWN`. */
export function bare(value: Value): Value {
  if (value instanceof Secret || value instanceof OutputValue)
    return bare(value.value);
  if (Array.isArray(value)) return value.map(bare);
  return isObject(value) ? mapped(value, bare) : value;
}

/** Bare properties, and the names of those that are, or hold, a secret. */
export function bareProperties(properties: Properties): {
  values: Record<string, unknown>;
  secrets: ReadonlySet<string>;
} {
  const names = Object.keys(properties).filter((name) =>
    containsSecret(properties[name]),
  );
  return {
    values: mapped(properties, bare),
    secrets: new Set(names),
  };
}

/** Bare properties with the named ones, where they have a value, as secrets. */
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

/** A value with words in place of all that is unknown in it, to be shown. */
export function nameUnknown<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function someWithin(value: Value, is: (part: Value) => boolean): boolean {
  if (is(value)) return true;
  if (value instanceof Secret || value instanceof OutputValue)
    return someWithin(value.value, is);
  if (Array.isArray(value)) return value.some((item) => someWithin(item, is));
  return (
    isObject(value) && Object.values(value).some((item) => someWithin(item, is))
  );
}

const isObject = (value: Value): value is Record<string, Value> =>
  typeof value === "object" && value !== null && value !== UNKNOWN;

const mapped = (
  value: Readonly<Record<string, Value>>,
  change: (member: Value) => Value,
) =>
  Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, change(member)]),
  );
