import { OutputValue, Secret, UNKNOWN } from "../../definition/value";

/** How an unknown value arrives in `check` and `diff` during a preview. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The property in which a resource's class names the inputs that the program marked as secret: the host strips the marks. */
export const SECRET_INPUTS = "__secretInputs";

/** Whether a value on the wire, or one in a state or a preview, holds something unknown. */
export function containsUnknownText(value: unknown): boolean {
  if (value === UNKNOWN_TEXT) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknownText);
}

/** Properties as Pulumi's dynamic provider host passes them. */
export type WireProperties = Record<string, unknown>;

/** Properties as the lifecycle takes them, without those that belong to the engine. */
export function fromWire({
  __provider,
  [SECRET_INPUTS]: secretInputs,
  ...properties
}: WireProperties): Record<string, unknown> {
  const secrets = new Set(Array.isArray(secretInputs) ? secretInputs : []);
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const known = mapped(value, (part) =>
        part === UNKNOWN_TEXT ? UNKNOWN : part,
      );
      return [name, secrets.has(name) ? new Secret(known) : known];
    }),
  );
}

/** Properties as the host takes them: it knows secrets by the names that the class gives. */
export function toWire(
  properties: Readonly<Record<string, unknown>>,
): WireProperties {
  return mapped(properties, (part) => {
    if (part === UNKNOWN) return UNKNOWN_TEXT;
    if (part instanceof Secret || part instanceof OutputValue)
      return toWire({ value: part.value }).value;
    return part;
  }) as WireProperties;
}

/** A value with each part changed, from the outside in; what a change makes anew is not looked into. */
function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapped(member, change)]),
  );
}
