import { ConfigurationError } from "@devid/sdk";
import { z } from "zod";

/** Values of inputs, by the name of the input. */
export type OverriddenInputs = Readonly<Record<string, unknown>>;

/** Values of inputs that replace those of the program, by kind and by the name of the resource. */
export type Overrides = Readonly<
  Record<string, Readonly<Record<string, OverriddenInputs>>>
>;

/** Loads the definition of each kind, by its name. A command uses few of them. */
export type Kinds = Readonly<Record<string, () => Promise<unknown>>>;

/** The settings of a provider that say how resources are made. The client does not have them. */
export interface ResourceSettings {
  readonly kinds: Kinds;
  /** `byName`: a create takes over the one object that has the identity of the resource. */
  readonly adopt?: "byName";
  readonly overrides: Overrides;
  /** Whether the program marks the overrides as secret; inputs then become secret with them. */
  readonly hidesOverrides?: boolean;
}

/** The form of the setting `overrides`. */
export const OverridesForm = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.unknown())),
);

/** These settings as a provider has them: as values, or as text. */
export interface GivenResourceSettings {
  readonly adopt?: unknown;
  /** The overrides as an object, or as JSON: stack config gives text. */
  readonly overrides?: unknown;
}

/**
 * Reads the settings of a provider, and `adopt` from `DEVID_ADOPT` if the provider has
 * none.
 * @throws ConfigurationError which names the setting
 */
export function resourceSettings(
  { adopt, overrides }: GivenResourceSettings,
  kinds: Kinds,
  env: NodeJS.ProcessEnv = process.env,
): ResourceSettings {
  const mode = adopt ?? (env.DEVID_ADOPT || undefined);
  if (mode !== undefined && mode !== "byName")
    throw new ConfigurationError(
      `The setting adopt is ${JSON.stringify(mode)}; it can only be "byName": a create then takes over the object that has the identity of the resource. Leave it out to make new objects.`,
    );
  return {
    kinds,
    ...(mode === "byName" && { adopt: "byName" as const }),
    overrides: readOverrides(overrides, Object.keys(kinds)),
  };
}

function readOverrides(given: unknown, kinds: readonly string[]): Overrides {
  if (given === undefined || given === "") return {};
  const read = OverridesForm.safeParse(
    typeof given === "string" ? fromJson(given) : given,
  );
  if (!read.success)
    throw new ConfigurationError(
      `The setting overrides has another form than values of inputs by kind and by the name of a resource, such as { ApiKey: { shop: { rateLimit: 20 } } }${read.error.issues[0]?.path.length ? `, at ${z.core.toDotPath(read.error.issues[0].path)}` : ""}.`,
    );
  const unknown = Object.keys(read.data).find((kind) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `The setting overrides names the kind ${JSON.stringify(unknown)}, which does not exist; the kinds are ${kinds.join(", ")}.`,
    );
  return read.data;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message is left out, because it quotes the text.
    return text;
  }
}
