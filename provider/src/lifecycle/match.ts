import type { z } from "zod";
import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldMeta } from "../definition/field";
import { UNKNOWN, type Values } from "../definition/value";
import { everyItem } from "../session/answers";
import type { Session } from "../session/session";

// Which object of the workspace is meant: by its name or address, type and environment.

/** All objects of a kind, in one list for all creates of a session. */
export const listedOnce = (
  definition: ResourceDefinition,
  { client, session }: OperationContext,
): Promise<readonly FoundObject[]> =>
  session.once(`all of ${definition.kind}`, () =>
    everyItem(definition.list(client)),
  );

/**
 * What identifies the object of a resource: its name or address, and its identity. Its
 * values may be unknown.
 */
export async function wantedObject(
  definition: ResourceDefinition,
  session: Session,
  inputs: Values,
): Promise<Values> {
  const own = await identity(definition, session, inputs);
  return identityOf(definition, { ...inputs, ...own });
}

/**
 * The objects that are like the wanted one, that a program can declare, and that no
 * other resource of the run has, had or wants.
 */
export function freeMatches(
  definition: ResourceDefinition,
  { ledger }: Session,
  wanted: Values,
  among: readonly FoundObject[],
  { workspace, urn }: { readonly workspace: string; readonly urn?: string },
): FoundObject[] {
  const all = among.map(({ outputs }) => outputs);
  return among.filter(
    (one) =>
      isLike(one, wanted) &&
      // The default environment has the ID of the workspace.
      one.id !== workspace &&
      ledger.isFree(one.id, urn) &&
      !definition.obstacle?.(one.outputs, all),
  );
}

/**
 * What identifies an object: its name or address, for a kind whose objects can be
 * adopted, its type and its environment. The values are those of a program, a state or
 * an object.
 */
export const identityOf = (
  { adoption, inputs: schema }: ResourceDefinition,
  values: Values,
): Values =>
  Object.fromEntries(
    [...(adoption ? [adoption.by] : []), ...identifyingFields(schema)].map(
      (name) => [name, values[name]],
    ),
  );

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
const isLike = ({ outputs }: FoundObject, expected: Values): boolean =>
  Object.entries(expected).every(([name, value]) => outputs[name] === value);

const identifyingFields = (schema: z.ZodObject) =>
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
