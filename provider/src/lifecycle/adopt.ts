import type { z } from "zod";
import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import type { Adoption } from "../definition/adoption";
import { fieldMeta, fieldsMarked } from "../definition/field";
import { AdoptionError, IncompleteError } from "../definition/errors";
import { findOne } from "../definition/find-one";
import { UNKNOWN } from "../definition/value";
import { everyItem } from "../session/answers";
import { changedInputs, pendingWork } from "./difference";

type Values = Readonly<Record<string, unknown>>;

/** The `adopt` input. */
type Wanted = Readonly<Record<string, string | undefined>>;

/**
 * The object that a create takes over; undefined where the create makes a new one.
 * `adopt` names the object by its ID, or by its name or url. If none has that name
 * or url, the declared one is looked for: an earlier adoption by the same program
 * may have renamed the object already.
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
  const { region } = client.configuration;
  const all = await everyItem(definition.list(client));
  const found = choose(definition, adoption, all, inputs, region);
  const objection =
    unchangeable(definition, found, inputs) ??
    (await adoption.objection?.(client, found.id)) ??
    (session.claims.other(kind, found.id, undefined)
      ? "another resource of this program has it"
      : undefined);
  if (objection === undefined) return found;
  throw new AdoptionError(
    `The ${singular} ${found.id} cannot be adopted: ${objection}. Nothing was changed; leave adopt out to make another ${kind}.`,
  );
}

/** What an adoption will do, as a message for a preview. */
export function describeAdoption(
  definition: ResourceDefinition,
  { id, outputs }: FoundObject,
  inputs: Values,
): string {
  const changed = changedByAdoption(definition, outputs, inputs);
  const changes =
    changed.length > 0
      ? `this changes its ${changed.join(", ")}`
      : "it is as declared";
  return `${definition.kind} ${id} exists and is to be adopted; ${changes}.`;
}

/** Takes over an object, and updates it where it is not as declared. */
export async function adopt(
  definition: ResourceDefinition,
  context: OperationContext,
  { id, outputs }: FoundObject,
  inputs: Values,
): Promise<{ id: string; outputs: Values; last: Values }> {
  const changed = changedByAdoption(definition, outputs, inputs);
  const isDone =
    changed.length === 0 && !pendingWork(definition, outputs, inputs);
  const update = { id, inputs, last: outputs, changed: new Set(changed) };
  let adopted: Values = outputs;
  try {
    if (!isDone) adopted = await definition.update({ ...context, ...update });
  } catch (error) {
    const isKept = error instanceof IncompleteError;
    if (!isKept) context.session.claims.fail(definition.kind, id);
    throw error;
  }
  await context.log(
    "info",
    `${definition.kind} ${id} existed and was adopted; ` +
      (changed.length > 0
        ? `changed: ${changed.join(", ")}.`
        : "it was as declared."),
  );
  return { id, outputs: adopted, last: outputs };
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

/** The object that `adopt` means. @throws LookupError */
function choose(
  { singular }: ResourceDefinition,
  { by }: Adoption,
  all: readonly FoundObject[],
  inputs: Values,
  region: string,
): FoundObject {
  const wanted = inputs.adopt as Wanted;
  const declared = inputs[by];
  const find = (field: string, value = "") =>
    findOne(all, {
      singular,
      region,
      by: field,
      value,
      advice: {
        none: `Nothing can be adopted: check the ${field === "id" ? "ID" : field}, or leave adopt out to make one.`,
        several: "Adopt one of them by its ID:",
      },
    });
  if (wanted.id !== undefined) return find("id", wanted.id);
  const isThere = (value: unknown) =>
    all.some(({ outputs }) => outputs[by] === value);
  const isRenamed =
    typeof declared === "string" && !isThere(wanted[by]) && isThere(declared);
  return find(by, isRenamed ? declared : wanted[by]);
}

/** Why no update can make the object as declared; undefined where one can. */
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
