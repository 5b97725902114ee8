import type { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import { UNKNOWN } from "../definition/value";
import type { WorkspaceIdentity } from "../session/workspace-identity";

type Values = Readonly<Record<string, unknown>>;

/** Whose an object is: where it is, and which create made, or took over, it. */
export interface Owner extends WorkspaceIdentity {
  /** A random text of the create that made the state; absent where none did, as after an import. */
  readonly claim?: string;
}

/** What state keeps of a resource beside its outputs. */
export interface Kept {
  /** Absent in states of old versions. */
  readonly owner?: Owner;
}

/**
 * Values as the engine can keep them: without any `undefined`, at any depth.
 * One left in would fail the call after the remote object was made.
 */
export function toState(value: object): Record<string, unknown> {
  return withoutUndefined(value) as Record<string, unknown>;
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((item) => item !== undefined).map(withoutUndefined);
  if (typeof value !== "object" || value === null || value === UNKNOWN)
    return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, withoutUndefined(member)]),
  );
}

/** A state in the shape that this version knows. @throws Error for one of a newer version */
export function upgradeState(
  { kind, schemaVersion, upgrades = [] }: ResourceDefinition,
  state: Values,
): Values & Kept {
  const version = Number(state.schemaVersion ?? schemaVersion);
  if (version > schemaVersion)
    throw new Error(
      `The state of this ${kind} was written by a newer devid (version ${version} of its shape, this one knows ${schemaVersion}); upgrade @devid/pulumi.`,
    );
  return upgrades
    .slice(version - 1)
    .reduce<Values>((older, upgrade) => upgrade(older) as Values, state);
}

/** Values in the form that the engine keeps, with the version of their shape and the owner of the object. */
export function stateOf(
  { schemaVersion }: ResourceDefinition,
  values: object,
  owner: Owner | undefined,
): Record<string, unknown> {
  return toState({ ...values, owner, schemaVersion });
}

/** The state after a write: inputs as declared, and what the service computed. */
export function declaredState(
  definition: ResourceDefinition,
  outputs: Values,
  last: (Values & Kept) | undefined,
  inputs: Values,
  owner: Owner | undefined,
): Record<string, unknown> {
  const computed = Object.entries(
    observed(definition, outputs, last, inputs),
  ).filter(([name]) => !(name in definition.inputs.shape));
  const values = { ...Object.fromEntries(computed), ...inputs };
  return stateOf(definition, values, owner);
}

/** The state after a read: what the service has, and what it knows nothing of. */
export function readState(
  definition: ResourceDefinition,
  outputs: Values,
  last: (Values & Kept) | undefined,
  owner: Owner | undefined,
): Record<string, unknown> {
  const values = {
    ...observed(definition, outputs, last, last),
    ...localFields(definition, outputs, last),
  };
  return stateOf(definition, values, owner);
}

/** What the service has, with what it revealed once, and without what it chose for a field that is not declared. */
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

/** What the service knows nothing of, and the state has; as `read` answers it, or by default, where there is no state. */
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

/** The default of a field, `undefined` where it has none. */
export function defaultOf(field: z.ZodType): unknown {
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
