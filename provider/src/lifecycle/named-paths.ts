import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { formsOf, partOf, partsOf } from "../definition/field";
import { containsUnknown, ownMember, type Values } from "../definition/value";

/** A step of a path: `["a name"]`, `[0]`, `.name`. */
const PATH_STEP = /\["((?:[^"\\]|\\")*)"\]|([^.[\]"]+)/g;

/** The names in a path of a resource option: `rules["on"].expression` has three. */
export const stepsOf = (path: string): string[] =>
  [...path.matchAll(PATH_STEP)].map(
    ([, quoted, plain]) => quoted?.replaceAll('\\"', '"') ?? plain ?? "",
  );

/**
 * For each path that names no input, no field of one and no member of an ordered input:
 * a sentence that says what exists. Nothing matches such a path, so Pulumi and devid
 * would deploy the change that it was to hold back.
 * @param given the inputs and the last inputs or the state, normalised: a member that
 * one of them has exists
 */
export function unmatchedPaths(
  definition: ResourceDefinition,
  option: "ignoreChanges" | "replaceOnChanges",
  paths: readonly string[] = [],
  ...given: readonly Values[]
): string[] {
  return paths.flatMap((path) => {
    const problem = problemOf(definition, stepsOf(path), given);
    return problem
      ? [`${option} has '${path}', which matches nothing: ${problem}.`]
      : [];
  });
}

function problemOf(
  { kind, inputs, fileInput, orderedBy = {} }: ResourceDefinition,
  [name = "", ...inner]: readonly string[],
  given: readonly Values[],
): string | undefined {
  if (name === "*") return undefined;
  if (name === fileInput?.name)
    return `the state has the content of ${name} as ${fileInput.inPlaceOf}, so write ${fileInput.inPlaceOf}`;
  const field = ownMember<unknown>(inputs.shape, name);
  if (!field)
    return `${kind} has no input "${name}", but ${listed(Object.keys(inputs.shape))}`;
  const link = ownMember(orderedBy, name);
  if (typeof link !== "string")
    return hasFields(field as z.ZodType, inner)
      ? undefined
      : `${name} has no ${inner.join(".")}`;
  const [member, ...fields] = inner;
  if (member === undefined) return undefined;
  const members = given.map((values) => values[name]);
  if (member !== "*" && !members.some((all) => hasMember(all, member)))
    return `${name} has no ${/^\d+$/.test(member) ? `position ${member}` : `"${member}"`}`;
  const [fieldName, ...rest] = fields;
  if (fieldName === undefined) return undefined;
  const known = fieldsOfMembers(field as z.ZodType);
  if (fieldName === "*" || fieldName === link) return undefined;
  if (known.includes(fieldName) && rest.length === 0) return undefined;
  return `a member of ${name} has no ${[fieldName, ...rest].join(".")}, but ${listed(known)}`;
}

/** Whether ordered members, stored by name, have a member of this name or at this position. */
function hasMember(members: unknown, name: string): boolean {
  if (containsUnknown(members)) return true;
  if (typeof members !== "object" || members === null) return false;
  const names = Object.keys(members);
  return (
    names.includes(name) || (/^\d+$/.test(name) && Number(name) < names.length)
  );
}

/** Whether a value of a schema can have what the steps of a path lead to. */
function hasFields(
  schema: z.core.$ZodType,
  [name, ...inner]: readonly string[],
): boolean {
  if (name === undefined) return true;
  return formsOf(schema).some((form) => {
    const isItem = /^(\d+|\*)$/.test(name);
    if (form instanceof z.ZodArray && !isItem) return false;
    const part = name === "*" ? undefined : partOf(form, name);
    return (name === "*" ? partsOf(form) : part ? [part] : []).some((one) =>
      hasFields(one, inner),
    );
  });
}

/** The names of the fields that a member of an ordered input can have. */
const fieldsOfMembers = (schema: z.core.$ZodType): string[] =>
  formsOf(schema).flatMap((form) =>
    form instanceof z.ZodObject
      ? Object.keys(form.shape)
      : form instanceof z.ZodArray
        ? fieldsOfMembers(form.element)
        : [],
  );

const listed = (names: readonly string[]) =>
  `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
