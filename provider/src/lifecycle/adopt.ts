import type {
  FoundObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { AdoptionError, LookupError } from "../definition/errors";
import { describeCandidates, findOne } from "../definition/find-one";
import { containsUnknown, UNKNOWN, type Values } from "../definition/value";
import { everyItem } from "../session/answers";
import { changedInService, pendingWork } from "./difference";
import {
  differing,
  freeMatches,
  listedOnce,
  metaOf,
  wantedObject,
} from "./match";

/**
 * The object that a create takes over by the input `adopt`, which has its ID. Undefined
 * if the create makes a new object, or if a preview does not know the ID; a message then
 * says so.
 * @throws LookupError when there is no such object
 * @throws AdoptionError when the object must not be adopted
 */
export async function findToAdopt(
  definition: ResourceDefinition,
  context: OperationContext,
  inputs: Values,
): Promise<FoundObject | undefined> {
  const { adoption, kind, singular, inputs: schema } = definition;
  if (!adoption || inputs.adopt === undefined) return undefined;
  if (containsUnknown(inputs.adopt)) {
    await context.log(
      "info",
      `${kind}: an object will be adopted. The preview does not know the value of adopt, so it cannot say which one.`,
    );
    return undefined;
  }
  const { id } = inputs.adopt as { readonly id: string };
  const found = await choose(definition, context, id);
  const fixed = differing(schema, found, inputs)
    .filter((name) => metaOf(schema, name).immutable)
    .map(
      (name) =>
        `its ${name} is ${text(found.outputs[name])}, the program says ${text(inputs[name])}`,
    );
  const objection =
    fixed.length > 0
      ? `${fixed.join(", and ")}, and that cannot be changed`
      : await adoption.objection?.(context.session, found.id);
  if (objection === undefined) return found;
  throw new AdoptionError(
    `The ${singular} ${found.id} cannot be adopted: ${objection}. Nothing was changed. Leave adopt out to create a new ${kind}.`,
  );
}

/**
 * The object that a create takes over if the provider has the setting `adopt: byName`:
 * the only one with the declared name or address, type and environment that no resource
 * of this run has. Undefined if there is none, and while one of these values is not
 * known. All creates of a session look in one list of each kind.
 * @throws LookupError when there are several
 */
export async function findByName(
  definition: ResourceDefinition,
  context: OperationContext,
  inputs: Values,
  urn: string | undefined,
): Promise<FoundObject | undefined> {
  const { adoption, singular } = definition;
  const { session } = context;
  const { settings } = session;
  const isMeant = adoption && inputs.adopt === undefined;
  if (settings.adopt !== "byName" || !isMeant) return undefined;
  const expected = await wantedObject(definition, session, inputs);
  if (containsUnknown(expected)) return undefined;
  const all = await listedOnce(definition, context);
  const { workspace } = await session.workspace();
  const [found, ...others] = freeMatches(definition, session, expected, all, {
    workspace,
    urn,
  });
  if (found && others.length > 0)
    throw new LookupError(
      `The provider adopts by name, and ${others.length + 1} ${singular}s have the ${Object.keys(expected).join(", ")} of this resource. Choose one with adopt: { id: "..." }:${describeCandidates([found, ...others])}`,
      [found, ...others].map(({ id }) => id),
    );
  // At once, because another create may be looking for it.
  if (found) session.ledger.note("wanted", found.id, { urn });
  return found;
}

/** The message of a preview about an adoption. */
export function describeAdoption(
  definition: ResourceDefinition,
  { id, outputs }: FoundObject,
  inputs: Values,
): string {
  // A preview cannot say whether an unknown value changes.
  const changed = changedInService(definition.inputs, outputs, inputs).filter(
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
  const changed = changedInService(definition.inputs, outputs, inputs);
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

/** The object that `adopt` means. @throws LookupError which lists those that there are */
async function choose(
  definition: ResourceDefinition,
  context: OperationContext,
  id: string,
): Promise<FoundObject> {
  const { client } = context;
  // All IDs are looked for in one list, except that of an object that was made since.
  const listed = await listedOnce(definition, context);
  const all = listed.some((one) => one.id === id)
    ? listed
    : await everyItem(definition.list(client));
  return findOne(all, {
    singular: definition.singular,
    region: client.configuration.region,
    by: "id",
    value: id,
    advice: {
      none: "Nothing can be adopted: check the ID, or leave adopt out to create a new one.",
      several: "",
    },
  });
}

const text = (value: unknown) =>
  value === undefined ? "none" : JSON.stringify(value);
