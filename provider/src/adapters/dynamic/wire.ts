import { OutputValue, Secret, UNKNOWN } from "../../definition/value";

// What a program, the state and Pulumi's dynamic provider host agree on.

/** What the types of the dynamic resources begin with. */
export const DYNAMIC_PREFIX = "pulumi-nodejs:dynamic/devid:";

/** The type that resources of a kind have in state: `pulumi-nodejs:dynamic/devid:ApiKey`. */
export const resourceType = (kind: string) => DYNAMIC_PREFIX + kind;

/** What the types begin with that the provider plugin has. */
export const PLUGIN_PREFIX = "devid:index:";

/** The type that the provider plugin has for a resource or a data source: `devid:index:ApiKey`. */
export const pluginType = (name: string) => PLUGIN_PREFIX + name;

/** The kind of a resource of either form, by its type; undefined for those of other packages. */
export function kindOfType(type: string): string | undefined {
  const prefix = [DYNAMIC_PREFIX, PLUGIN_PREFIX].find((one) =>
    type.startsWith(one),
  );
  return prefix && type.slice(prefix.length);
}

/** The type of the stack itself. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/**
 * The text that each resource carries in place of its provider's code. It loads
 * the installed package, so state holds neither code nor credentials.
 */
export const providerText = (kind: string) =>
  `exports.handler = () => require("@devid/pulumi/provider").${kind};`;

/** Prefix of stack configuration: `devid:region`. */
export const STACK_PREFIX = "devid:";

/** Prefix of the arguments of an explicit `devid.Provider` in its configuration. */
export const ARGUMENT_PREFIX = "devid.Provider:";

/** The text that stands for an unknown value in `check` and `diff` during a preview. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The text that a preview prints instead of a secret. */
export const SECRET_TEXT = "[secret]";

/**
 * The property in which a resource's class names the inputs that the program
 * marked as secret. The host removes the marks themselves.
 */
export const SECRET_INPUTS = "__secretInputs";

/** The property in which a resource's class gives its URN, which the host does not tell. */
export const RESOURCE_URN = "__urn";

/** The property in which a resource's class gives the option that the host does not tell. */
export const REPLACE_ON_CHANGES = "__replaceOnChanges";

/**
 * The property in which a resource's class gives the paths of the option ignoreChanges
 * that lead into an input. The engine cannot follow them where the state has another form.
 */
export const IGNORE_CHANGES = "__ignoreChanges";

/** Whether a value of a state or a preview is unknown, or holds an unknown value. */
export const containsUnknownText = (value: unknown) =>
  containsText(value, UNKNOWN_TEXT);

/** Whether a value of a preview is a secret that it hides, or holds one. */
export const containsSecretText = (value: unknown) =>
  containsText(value, SECRET_TEXT);

function containsText(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => containsText(part, text));
}

/** Properties as Pulumi's dynamic provider host passes them. */
export type WireProperties = Record<string, unknown>;

/** Turns properties of the host into those of the lifecycle; what belongs to the engine is dropped. */
export function fromWire({
  __provider,
  [SECRET_INPUTS]: secretInputs,
  [RESOURCE_URN]: _urn,
  [REPLACE_ON_CHANGES]: _replacing,
  [IGNORE_CHANGES]: _ignored,
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

/** The URN that a resource's class gives. */
export function urnIn({ [RESOURCE_URN]: urn }: WireProperties) {
  return typeof urn === "string" && urn !== UNKNOWN_TEXT ? { urn } : {};
}

/** The texts that a resource's class gives in a property of this name. */
export function textsIn(properties: WireProperties, name: string): string[] {
  const texts = properties[name];
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** What a resource's class says besides its arguments, for the inputs or the outputs of the state. */
export const hiddenIn = (
  properties: WireProperties,
  names: readonly string[] = [SECRET_INPUTS],
): WireProperties =>
  Object.fromEntries(
    names.flatMap((name) =>
      properties[name] === undefined ? [] : [[name, properties[name]]],
    ),
  );

/**
 * Turns properties of the lifecycle into those of the host. Secrets lose their
 * mark: the host knows them by the names that the resource's class gives.
 */
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

/** A value with `change` applied to it, or, where that leaves it as it is, to each of its parts. */
function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapped(member, change)]),
  );
}
