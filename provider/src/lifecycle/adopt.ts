import type { z } from "zod";
import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import type { Adoption } from "../definition/adoption";
import { fieldMeta, fieldsMarked } from "../definition/field";
import { AdoptionError, LookupError } from "../definition/errors";
import { describeCandidates, findOne } from "../definition/find-one";
import { UNKNOWN } from "../definition/value";
import { everyItem } from "../session/answers";
import type { Session } from "../session/session";
import { changedInputs, pendingWork } from "./difference";

type Values = Readonly<Record<string, unknown>>;

/** The `adopt` input. */
type Wanted = Readonly<Record<string, string | undefined>>;

/**
 * The object that a create takes over; undefined if the create makes a new object.
 * `adopt` names the object by its ID, or by its name or url. If no object has that name
 * or url, the declared name or url is looked for, because an earlier adoption may have
 * renamed the object. If several objects match, the declared type and environment
 * decide.
 * @throws LookupError when no object is found, or several are
 * @throws AdoptionError when the object must not be adopted
 */
export async function findToAdopt(
  definition: ResourceDefinition,
  { client, session }: OperationContext,
  inputs: Values,
): Promise<FoundObject | undefined> {
  const { adoption, kind, singular } = definition;
  if (!adoption || inputs.adopt === undefined) return undefined;
  const all = await everyItem(definition.list(client));
  const found = await choose(definition, adoption, all, inputs, session);
  const objection =
    unchangeable(definition, found, inputs) ??
    (await adoption.objection?.(client, found.id));
  if (objection === undefined) return found;
  throw new AdoptionError(
    `The ${singular} ${found.id} cannot be adopted: ${objection}. Nothing was changed. Leave adopt out to create a new ${kind}.`,
  );
}

/** The message of a preview about an adoption. */
export function describeAdoption(
  definition: ResourceDefinition,
  { id, outputs }: FoundObject,
  inputs: Values,
): string {
  // A preview cannot say whether an unknown value changes.
  const changed = changedByAdoption(definition, outputs, inputs).filter(
    (name) => inputs[name] !== UNKNOWN,
  );
  const changes =
    changed.length > 0
      ? `this changes its ${changed.join(", ")}`
      : "it is as declared";
  return `${definition.kind} ${id} exists and will be adopted; ${changes}.`;
}

/** Takes over an object, and updates fields that differ from the declared values. */
export async function adopt(
  definition: ResourceDefinition,
  context: OperationContext,
  { id, outputs }: FoundObject,
  inputs: Values,
): Promise<{ id: string; outputs: Values }> {
  const changed = changedByAdoption(definition, outputs, inputs);
  const isDone =
    changed.length === 0 && !pendingWork(definition, outputs, inputs);
  const update = { id, inputs, last: outputs, changed: new Set(changed) };
  const adopted: Values = isDone
    ? outputs
    : await definition.update({ ...context, ...update });
  await context.log(
    "info",
    `${definition.kind} ${id} existed and was adopted; ` +
      (changed.length > 0
        ? `changed: ${changed.join(", ")}.`
        : "it was as declared."),
  );
  return { id, outputs: adopted };
}

function changedByAdoption(
  { inputs: schema }: ResourceDefinition,
  outputs: Values,
  inputs: Values,
): string[] {
  const locals = fieldsMarked(schema, "local");
  return changedInputs(schema, outputs, inputs).filter(
    (name) => !locals.includes(name),
  );
}

/**
 * Whether a preview cannot choose among several objects, because the ID of a new
 * environment would decide.
 */
export function isDecidedLater(
  { inputs: schema }: ResourceDefinition,
  inputs: Values,
  error: LookupError,
): boolean {
  const isUnknown = identifyingFields(schema).some(
    (name) => inputs[name] === UNKNOWN,
  );
  return isUnknown && error.matches.length > 1;
}

/** The object that `adopt` means. @throws LookupError */
async function choose(
  definition: ResourceDefinition,
  { by }: Adoption,
  all: readonly FoundObject[],
  inputs: Values,
  session: Session,
): Promise<FoundObject> {
  const { singular } = definition;
  const { region } = session.client.configuration;
  const wanted = inputs.adopt as Wanted;
  const declared = inputs[by];
  const find = (among: readonly FoundObject[], field: string, value: string) =>
    findOne(among, {
      singular,
      region,
      by: field,
      value,
      advice: {
        none: `Nothing can be adopted: check the ${field === "id" ? "ID" : field}, or leave adopt out to create a new one.`,
        several: "Adopt one of them by its ID:",
      },
    });
  if (wanted.id !== undefined) return find(all, "id", wanted.id);
  const called = (value: unknown) =>
    all.filter(({ outputs }) => outputs[by] === value);
  const isRenamed =
    typeof declared === "string" &&
    called(wanted[by]).length === 0 &&
    called(declared).length > 0;
  const value = (isRenamed ? declared : wanted[by]) ?? "";
  const several = called(value);
  if (several.length < 2) return find(all, by, value);
  const fitting = await mostFitting(definition, several, inputs, session);
  if (fitting.length > 0) return find(fitting, by, value);
  throw new LookupError(
    `There are ${several.length} ${singular}s with the ${by} ${JSON.stringify(value)} in the workspace in region ${region}, and none of them has ${declaredText(definition, inputs)}, which the program declares and no update can change. ` +
      `Declare the value of the one to adopt, or leave adopt out to create a new one:${describeCandidates(several)}`,
    several.map(({ id }) => id),
  );
}

/**
 * Of several objects with the same name or url, those with the declared type and
 * environment. If the program names no environment, objects are preferred that are where
 * a create would make one.
 */
async function mostFitting(
  definition: ResourceDefinition,
  several: readonly FoundObject[],
  inputs: Values,
  session: Session,
): Promise<readonly FoundObject[]> {
  const { inputs: schema } = definition;
  const expected = await identity(definition, session, inputs);
  const canChange = Object.keys(expected).every(
    (name) => !metaOf(schema, name).immutable,
  );
  const choices = [
    several.filter((one) => isLike(one, expected)),
    several.filter((one) => differing(schema, one, inputs).length === 0),
    canChange ? several : [],
  ];
  return choices.find((fitting) => fitting.length > 0) ?? [];
}

/**
 * The type and environment that a new object gets: fields that distinguish objects of
 * one name.
 */
export async function identity(
  { inputs: schema, clone }: ResourceDefinition,
  session: Session,
  inputs: Values,
): Promise<Values> {
  const isPublic = clone?.inDefaultEnvironment?.(inputs);
  const place = isPublic ? (await session.workspace()).workspace : undefined;
  return Object.fromEntries(
    identifyingFields(schema).map((name) => [
      name,
      inputs[name] ?? (metaOf(schema, name).references && place),
    ]),
  );
}

/** Whether an object has the expected values. */
export const isLike = ({ outputs }: FoundObject, expected: Values): boolean =>
  Object.entries(expected).every(([name, value]) => outputs[name] === value);

const identifyingFields = (schema: z.ZodObject) =>
  Object.keys(schema.shape).filter((name) => {
    const { immutable, local, references } = metaOf(schema, name);
    return !local && (immutable || references !== undefined);
  });

const metaOf = (schema: z.ZodObject, name: string) =>
  fieldMeta(schema.shape[name] as z.ZodType);

/** The identifying fields that the program declares, with values that are known. */
const declaredFields = (schema: z.ZodObject, inputs: Values) =>
  identifyingFields(schema).filter(
    (name) => inputs[name] !== undefined && inputs[name] !== UNKNOWN,
  );

/** The declared identifying fields that an object has with other values. */
const differing = (
  schema: z.ZodObject,
  { outputs }: FoundObject,
  inputs: Values,
) =>
  declaredFields(schema, inputs).filter(
    (name) => outputs[name] !== inputs[name],
  );

const declaredText = ({ inputs: schema }: ResourceDefinition, inputs: Values) =>
  declaredFields(schema, inputs)
    .map((name) => `the ${name} ${text(inputs[name])}`)
    .join(" and ");

/**
 * Why no update can change the object to the declared values; undefined if an update
 * can.
 */
function unchangeable(
  { inputs: schema }: ResourceDefinition,
  found: FoundObject,
  inputs: Values,
): string | undefined {
  const reasons = differing(schema, found, inputs)
    .filter((name) => metaOf(schema, name).immutable)
    .map(
      (name) =>
        `its ${name} is ${text(found.outputs[name])}, the program says ${text(inputs[name])}`,
    );
  return reasons.length > 0
    ? `${reasons.join(", and ")}, and that cannot be changed`
    : undefined;
}

const text = (value: unknown) =>
  value === undefined ? "none" : JSON.stringify(value);
