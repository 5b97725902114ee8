// Names and texts of the engine, in programs, states, previews and stack configuration.

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

/** The name of a resource, from its URN. */
export const nameOfUrn = (urn: string): string =>
  urn.split("::").slice(3).join("::");

/** The type of a resource, from its URN, which has the types of its parents before it. */
export const typeOfUrn = (urn: string): string =>
  urn.split("::")[2]?.split("$").at(-1) ?? "";

/** The URN and the ID in a reference to a provider. */
export function splitProvider(reference: string): { urn: string; id: string } {
  const at = reference.lastIndexOf("::");
  return { urn: reference.slice(0, at), id: reference.slice(at + 2) };
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

/** The text that a preview prints, and a policy pack is given, instead of a secret. */
export const SECRET_TEXT = "[secret]";

/** How the engine writes a secret in JSON: the member and value that mark it. */
export const SECRET_MARK = [
  "4dabf18193072939515e22adb298388d",
  "1b47061264138c4ac30d75fd1eb44270",
] as const;

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

/** Follows the name of a setting: without the program, these commands take that of the last update from the state. */
export const NEEDS_PROGRAM =
  ", which pulumi refresh and pulumi destroy read only with --run-program";
