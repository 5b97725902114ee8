import type { Region } from "@devid/sdk";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { IncompleteError, StateError } from "../definition/errors";
import { fieldsMarked, oncePerSchema } from "../definition/field";
import { ONLY_READ } from "../definition/host-protocol";
import { without, type Values } from "../definition/value";

/** The workspace of an object, and what identifies its resource. */
const Owner = z.object({
  region: z.custom<Region>((value) => typeof value === "string"),
  workspace: z.string(),
  /** A random text, written with the first state, or `ONLY_READ`; absent if somebody removed it from the state. */
  claim: z.string().optional(),
  /**
   * An output that was only in an answer of the service that did not arrive. The object
   * must be replaced.
   */
  lost: z.string().optional(),
});
export type Owner = Readonly<z.output<typeof Owner>>;

/** An owner with a claim. */
export const claimed = (owner: Owner): Owner & { readonly claim: string } => ({
  ...owner,
  claim: owner.claim ?? randomUUID(),
});

/**
 * The owner in the state of `get`. A random claim would be a difference in each
 * preview.
 */
export const onlyRead = (owner: Owner): Owner => ({
  ...owner,
  claim: ONLY_READ,
});

/** The member of a state in addition to the outputs. */
export interface Owned {
  /** Absent if somebody removed it from the state; the next read or update adds it. */
  readonly owner?: Owner;
}

/**
 * Removes every `undefined`, at any depth. The engine cannot store one: the call
 * would fail after the object was created.
 */
export function toState(value: object): Record<string, unknown> {
  return without(undefined, value) as Record<string, unknown>;
}

/** @throws StateError for a state of a newer version of the package, and for one whose owner somebody has edited into another form */
export function assertReadable(
  { kind, schemaVersion }: ResourceDefinition,
  state: Values,
): void {
  const version = Number(state.schemaVersion ?? schemaVersion);
  if (version > schemaVersion)
    throw new StateError(
      `The state of this ${kind} was written by a newer version of devid (its schema version is ${version}, and this devid knows version ${schemaVersion}); upgrade @devid/pulumi.`,
    );
  if (!Owner.optional().safeParse(state.owner).success)
    throw new StateError(
      `The state of this ${kind} has owner in a form that devid does not know; somebody may have edited it. Correct it with pulumi stack export and pulumi stack import, or remove owner: the next pulumi refresh --run-program adds it.`,
    );
}

/**
 * The state of an object: its values, its owner, and the version of the form. The
 * engine writes the whole state after each step, so settings with their defaults are left out.
 */
export function stateOf(
  { inputs, schemaVersion }: ResourceDefinition,
  values: Values,
  owner: Owner | undefined,
): Record<string, unknown> {
  const kept = withoutDefaultSettings(inputs, values);
  return toState({ ...kept, owner, schemaVersion });
}

/** Inputs, or a state, without the settings that have their defaults. */
export function withoutDefaultSettings(
  inputs: z.ZodObject,
  values: Values,
): Values {
  const defaults = defaultSettings(inputs);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !(name in defaults) || defaults[name] !== value,
    ),
  );
}

/** Inputs, or a state, with every setting. */
export const withSettings = <V extends Values>(
  inputs: z.ZodObject,
  values: V,
): V => ({ ...defaultSettings(inputs), ...values });

/** The defaults of those fields marked `setting` that have one. */
const defaultSettings = oncePerSchema((inputs: z.ZodObject): Values =>
  toState(
    Object.fromEntries(
      fieldsMarked(inputs, "setting").map((name) => [
        name,
        defaultOf(inputs.shape[name] as z.ZodType),
      ]),
    ),
  ),
);

/** The values of a state after a write: the inputs as declared, and the outputs that the service computed. */
export function declaredValues(
  definition: ResourceDefinition,
  outputs: Values,
  last: (Values & Owned) | undefined,
  inputs: Values,
): Values {
  const computed = Object.entries(
    observed(definition, outputs, last, inputs),
  ).filter(([name]) => !(name in definition.inputs.shape));
  return { ...Object.fromEntries(computed), ...inputs };
}

/**
 * Adds the owner to the state in an IncompleteError. Any other error is returned
 * unchanged.
 */
export function withOwner(error: unknown, owner: Owner): unknown {
  if (!(error instanceof IncompleteError)) return error;
  const { outputs } = error as { readonly outputs: Owned };
  const merged = { ...outputs, owner: { ...owner, ...outputs.owner } };
  return new IncompleteError(error.id, merged, error.cause);
}

/** The state after a read: the service's values, and the fields that only the state has. */
export function readState(
  definition: ResourceDefinition,
  outputs: Values,
  last: (Values & Owned) | undefined,
  owner: Owner | undefined,
): Record<string, unknown> {
  const values = {
    ...observed(definition, outputs, last, last),
    ...localFields(definition, outputs, last),
  };
  return stateOf(definition, values, owner);
}

/** The service's values, plus secrets that it showed once, minus its own choices for fields that are not declared. */
export function observed(
  { inputs, outputs: fields }: ResourceDefinition,
  outputs: Values,
  last: Values | undefined,
  declared: Values | undefined,
): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...outputs };
  for (const name of fieldsMarked(fields, "revealOnce"))
    kept[name] ??= last?.[name];
  if (declared)
    for (const name of fieldsMarked(inputs, "managedIfSet"))
      if (declared[name] === undefined) delete kept[name];
  return kept;
}

/**
 * The fields marked `local`: from `read`, else from the last state, else their
 * defaults.
 */
function localFields(
  { outputs: fields }: ResourceDefinition,
  outputs: Values,
  last: Values | undefined,
): Values {
  return Object.fromEntries(
    fieldsMarked(fields, "local").map((name) => [
      name,
      outputs[name] ??
        last?.[name] ??
        defaultOf(fields.shape[name] as z.ZodType),
    ]),
  );
}

/** Inputs in the form that a program writes, without those that have their defaults anyway. */
export function programOf(
  definition: ResourceDefinition,
  inputs: Values,
): Record<string, unknown> {
  const { shape } = definition.inputs;
  const declared = Object.entries(inputs).filter(
    ([name, value]) =>
      !isDeepStrictEqual(value, defaultOf(shape[name] as z.ZodType)),
  );
  const program = Object.fromEntries(declared);
  return toState(definition.denormalize?.(program) ?? program);
}

/** The default of a field, or `undefined`. */
export function defaultOf(field: z.ZodType): unknown {
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
