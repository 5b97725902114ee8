import { UNKNOWN_TEXT } from "./engine-names";
import { mapParts, Secret, UNKNOWN } from "./value";

// Properties of a resource that carry data from its class to our provider: in Pulumi's
// dynamic provider host, and options also to the plugin.

/**
 * The property in which a resource's class names the inputs that the program
 * marked as secret. The host removes the marks themselves.
 */
export const SECRET_INPUTS = "__secretInputs";

/** The property in which a resource's class gives its URN, which the host does not pass to a provider. */
export const RESOURCE_URN = "__urn";

/**
 * The property in which a resource's class gives its option replaceOnChanges, which the
 * host does not pass to a provider.
 */
export const REPLACE_ON_CHANGES = "__replaceOnChanges";

/**
 * The property in which a resource's class gives its option ignoreChanges. The engine
 * replaces ignored inputs by the last inputs. The object may have other values, and the
 * state may have another form.
 */
export const IGNORE_CHANGES = "__ignoreChanges";

/** The claim in the state of an object that a program reads by `get`, and does not own. */
export const ONLY_READ = "read";

/** The properties in which a resource's class gives its options. */
export const OPTIONS: readonly string[] = [REPLACE_ON_CHANGES, IGNORE_CHANGES];

/** Properties as Pulumi's dynamic provider host passes them. */
export type HostProperties = Record<string, unknown>;

/**
 * Converts properties of the host to properties of the lifecycle. Members that belong
 * to the engine, or to our classes, begin with two underscores and are left out.
 */
export function fromHost(given: HostProperties): Record<string, unknown> {
  const secrets = new Set(textsIn(given, SECRET_INPUTS));
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => !name.startsWith("__"))
      .map(([name, value]) => {
        const known = mapParts(value, (part) =>
          part === UNKNOWN_TEXT ? UNKNOWN : part,
        );
        return [name, secrets.has(name) ? new Secret(known) : known];
      }),
  );
}

/** The URN that a resource's class gives. */
export function urnIn({ [RESOURCE_URN]: urn }: HostProperties) {
  return typeof urn === "string" && urn !== UNKNOWN_TEXT ? { urn } : {};
}

/** The texts that a resource's class gives in a property of this name. */
export function textsIn(properties: HostProperties, name: string): string[] {
  const texts = properties[name];
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** The properties that a resource's class adds to its arguments, for the inputs or outputs in the state. */
export const hiddenIn = (
  properties: HostProperties,
  names: readonly string[] = [SECRET_INPUTS],
): HostProperties =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name, value]) => names.includes(name) && value !== undefined,
    ),
  );

/**
 * Converts properties of the lifecycle to properties of the host. Secrets lose their
 * mark, because the resource's class tells the host their names.
 */
export function toHost(
  properties: Readonly<Record<string, unknown>>,
): HostProperties {
  return mapParts(properties, (part) => {
    if (part === UNKNOWN) return UNKNOWN_TEXT;
    return part instanceof Secret ? toHost({ value: part.value }).value : part;
  }) as HostProperties;
}
