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
  const isUnknown = decisive(schema).some((name) => inputs[name] === UNKNOWN);
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
 * The objects with the declared type and environment, of several with the same name or
 * url. If the program names no environment, objects are preferred that are where a
 * create would make one.
 */
async function mostFitting(
  { inputs: schema, clone }: ResourceDefinition,
  several: readonly FoundObject[],
  inputs: Values,
  session: Session,
): Promise<readonly FoundObject[]> {
  const names = decisive(schema);
  const asDeclared = several.filter(({ outputs }) =>
    names.every(
      (name) =>
        inputs[name] === undefined ||
        inputs[name] === UNKNOWN ||
        outputs[name] === inputs[name],
    ),
  );
  const canChange = names.every((name) => !metaOf(schema, name).immutable);
  const fitting = asDeclared.length === 0 && canChange ? several : asDeclared;
  const place = names.find((name) => metaOf(schema, name).references);
  if (fitting.length < 2 || place === undefined || inputs[place] !== undefined)
    return fitting;
  const made = clone?.inDefaultEnvironment?.(inputs)
    ? (await session.workspace()).workspace
    : undefined;
  const there = fitting.filter(({ outputs }) => outputs[place] === made);
  return there.length > 0 ? there : fitting;
}

/** Names of the inputs that distinguish objects of one name: the type, the environment. */
const decisive = (schema: z.ZodObject) =>
  Object.keys(schema.shape).filter((name) => {
    const { immutable, local, references } = metaOf(schema, name);
    return (immutable && !local) || references !== undefined;
  });

const metaOf = (schema: z.ZodObject, name: string) =>
  fieldMeta(schema.shape[name] as z.ZodType);

const declaredText = ({ inputs: schema }: ResourceDefinition, inputs: Values) =>
  decisive(schema)
    .filter((name) => inputs[name] !== undefined && inputs[name] !== UNKNOWN)
    .map((name) => `the ${name} ${text(inputs[name])}`)
    .join(" and ");

/**
 * Why no update can change the object to the declared values; undefined if an update
 * can.
 */
function unchangeable(
  definition: ResourceDefinition,
  { outputs }: FoundObject,
  inputs: Values,
): string | undefined {
  const fields = Object.entries(definition.inputs.shape);
  const differing = fields.filter(([name, field]) => {
    const { immutable, local } = fieldMeta(field as z.ZodType);
    const isFixed = immutable && !local && inputs[name] !== undefined;
    return (
      isFixed && inputs[name] !== UNKNOWN && outputs[name] !== inputs[name]
    );
  });
  if (differing.length === 0) return undefined;
  const reasons = differing.map(
    ([name]) =>
      `its ${name} is ${text(outputs[name])}, the program says ${text(inputs[name])}`,
  );
  return `${reasons.join(", and ")}, and that cannot be changed`;
}

const text = (value: unknown) =>
  value === undefined ? "none" : JSON.stringify(value);
