import { expect } from "vitest";
import {
  DYNAMIC_PREFIX,
  PLUGIN_PREFIX,
} from "../../provider/src/definition/engine-names";

/** The forms in which a program can have our resources. */
export const FORMS = ["dynamic", "plugin"] as const;
export type Form = (typeof FORMS)[number];

/** Members of a preview that only dynamic resources have. */
const ONLY_DYNAMIC = new Set([
  "__ignoreChanges",
  "__provider",
  "__secretInputs",
  "__urn",
]);

/**
 * The preview of a program with dynamic resources, as the engine prints it for
 * the same program in a form. `recorded-previews.forms.e2e.test.ts` compares the result
 * with previews of the engine.
 */
export function inForm(form: Form, preview: string): string {
  if (form === "dynamic") return preview;
  return withoutDynamic(preview)
    .replaceAll(DYNAMIC_PREFIX, PLUGIN_PREFIX)
    .replaceAll(
      `${PROVIDER}::default::`,
      "pulumi:providers:devid::default_0_1_0::",
    )
    .replaceAll(PROVIDER, "pulumi:providers:devid");
}

const PROVIDER = "pulumi:providers:pulumi-nodejs";

function withoutDynamic(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (ONLY_DYNAMIC.has(name)) return undefined;
      const { type, inputs, outputs } = (value ?? {}) as Record<
        string,
        unknown
      >;
      if (type !== PROVIDER) return value;
      return {
        ...(value as object),
        inputs: settingsOfPlugin(inputs),
        ...(outputs !== undefined && { outputs: settingsOfPlugin(outputs) }),
      };
    });
  } catch {
    // The preview was cut, so it is no JSON.
    return text;
  }
}

/** The settings of an explicit provider, without those of the stack, which the plugin gets by itself. */
function settingsOfPlugin(settings: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings as Record<string, string>).flatMap(
      ([name, value]) => {
        const [, own] = name.split("devid.Provider:");
        if (own === undefined) return [];
        return [[own, /^\d+$/.test(value) ? Number(value) : value]];
      },
    ),
  );
}

/**
 * Reads a preview in its dynamic form and returns the result. Expects the same result
 * for the form of the plugin.
 */
export function inBothForms<T>(
  preview: string,
  read: (preview: string) => T,
): T {
  const [dynamic, plugin] = FORMS.map((form) => {
    const text = inForm(form, preview);
    try {
      return { value: read(text) };
    } catch (error) {
      return { error };
    }
  });
  expectAlike(dynamic, plugin);
  if (dynamic && "value" in dynamic) return dynamic.value as T;
  throw dynamic?.error;
}

/**
 * As `inBothForms`, one form after the other.
 * @param ignored names of members that depend on the time
 */
export async function eachInBothForms<T>(
  preview: string,
  read: (preview: string) => Promise<T>,
  ignored: readonly string[] = [],
): Promise<T> {
  const outcomes: ({ value: T } | { error: unknown })[] = [];
  for (const form of FORMS)
    outcomes.push(
      await read(inForm(form, preview)).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    );
  const [dynamic, plugin] = outcomes;
  expectAlike(dynamic, plugin, ignored);
  if (dynamic && "value" in dynamic) return dynamic.value;
  throw dynamic?.error;
}

function expectAlike(
  dynamic: unknown,
  plugin: unknown,
  ignored: readonly string[] = [],
): void {
  const plain = (value: unknown) =>
    JSON.stringify(value, (name, part: unknown) => {
      if (ignored.includes(name)) return undefined;
      return part instanceof Error ? `${part.name}: ${part.message}` : part;
    });
  expect(JSON.parse(plain(plugin))).toEqual(
    JSON.parse(inForm("plugin", plain(dynamic))),
  );
}
