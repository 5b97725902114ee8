import type { z } from "zod";
import type {
  FoundObject,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldMeta } from "../definition/field";
import { UNKNOWN, type Values } from "../definition/value";
import type { Session } from "../session/session";

// Which object of the workspace is meant: by its name or address, type and environment.

/**
 * What identifies the object of a resource: its name or address, and its identity. Its
 * values may be unknown.
 */
export async function wantedObject(
  definition: ResourceDefinition,
  session: Session,
  inputs: Values,
): Promise<Values> {
  const by = definition.adoption?.by;
  return {
    ...(by && { [by]: inputs[by] }),
    ...(await identity(definition, session, inputs)),
  };
}

/**
 * The objects that are like the wanted one, that a program can declare, and that no
 * resource of the run has or had.
 */
export function freeMatches(
  definition: ResourceDefinition,
  { ledger }: Session,
  wanted: Values,
  among: readonly FoundObject[],
): FoundObject[] {
  const all = among.map(({ outputs }) => outputs);
  return among.filter(
    (one) =>
      isLike(one, wanted) &&
      ledger.isFree(one.id) &&
      !definition.obstacle?.(one.outputs, all),
  );
}

/**
 * What identifies an object for `adopt: byName`, from its outputs. Undefined for a kind
 * whose objects are not found in this way.
 */
export function identityOf(
  { adoption, inputs: schema }: ResourceDefinition,
  outputs: Values,
): Values | undefined {
  if (!adoption) return undefined;
  const names = [adoption.by, ...identifyingFields(schema)];
  return Object.fromEntries(names.map((name) => [name, outputs[name]]));
}

/**
 * The type and environment that a new object gets: fields that distinguish objects of
 * one name.
 */
export async function identity(
  definition: ResourceDefinition,
  session: Session,
  inputs: Values,
): Promise<Values> {
  const isPublic = definition.inDefaultEnvironment?.(inputs);
  const place = isPublic ? (await session.workspace()).workspace : undefined;
  return Object.fromEntries(
    identifyingFields(definition.inputs).map((name) => [
      name,
      inputs[name] ?? (metaOf(definition.inputs, name).references && place),
    ]),
  );
}

/** Whether an object has the expected values. */
export const isLike = ({ outputs }: FoundObject, expected: Values): boolean =>
  Object.entries(expected).every(([name, value]) => outputs[name] === value);

export const identifyingFields = (schema: z.ZodObject) =>
  Object.keys(schema.shape).filter((name) => {
    const { immutable, local, references } = metaOf(schema, name);
    return !local && (immutable || references !== undefined);
  });

export const metaOf = (schema: z.ZodObject, name: string) =>
  fieldMeta(schema.shape[name] as z.ZodType);

/** The identifying fields that an object has with other values than the declared ones. */
export const differing = (
  schema: z.ZodObject,
  { outputs }: FoundObject,
  inputs: Values,
) =>
  identifyingFields(schema).filter(
    (name) =>
      inputs[name] !== undefined &&
      inputs[name] !== UNKNOWN &&
      outputs[name] !== inputs[name],
  );
