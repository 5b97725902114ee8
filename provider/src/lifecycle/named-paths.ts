import { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { formsOf, partOf, partsOf } from "../definition/field";
import { containsUnknown, ownMember, type Values } from "../definition/value";

/** A step of a path: a name, or the position of a member of a list. */
type PathStep = string | number;

/**
 * A step as Pulumi reads it: `["a name"]`, `[0]`, `[*]` or `name`. Pulumi takes dots before
 * each but the first. So `rules.[0]` is `rules[0]`, but `rules.0` has the name "0".
 */
const PATH_STEP =
  /\.*(?:\["((?:\\"|\\(?!")|[^"\\])*)"\]|\[(\d+)\]|\[(\*)\]|([^.[]+))/y;

/** The steps of a path of a resource option: `rules["on"].expression` has three. None if it is no path. */
export function stepsOf(path: string): PathStep[] {
  const steps: PathStep[] = [];
  const pattern = new RegExp(PATH_STEP);
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path);
    if (!found || path.startsWith(".")) return [];
    const [, quoted, position, every, name = ""] = found;
    steps.push(
      position === undefined
        ? (quoted?.replaceAll('\\"', '"') ?? every ?? name)
        : Number(position),
    );
  }
  return steps;
}

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
  [name = "", ...inner]: readonly PathStep[],
  given: readonly Values[],
): string | undefined {
  if (name === "*") return undefined;
  if (name === fileInput?.name)
    return `the state has the content of ${name} as ${fileInput.inPlaceOf}, so write ${fileInput.inPlaceOf}`;
  const field = ownMember<unknown>(inputs.shape, String(name));
  if (!field)
    return `${kind} has no input "${name}", but ${listed(Object.keys(inputs.shape))}`;
  const link = ownMember(orderedBy, String(name));
  if (typeof link !== "string")
    return hasFields(field as z.ZodType, inner)
      ? undefined
      : `${name} has no ${inner.join(".")}`;
  const [member, ...fields] = inner;
  if (member === undefined) return undefined;
  const members = given.map((values) => values[String(name)]);
  if (member !== "*" && !members.some((all) => hasMember(all, member)))
    return `${name} has no ${typeof member === "number" ? `position ${member}` : `"${member}"`}`;
  const [fieldName, ...rest] = fields;
  if (fieldName === undefined) return undefined;
  const known = fieldsOfMembers(field as z.ZodType);
  if (fieldName === "*" || fieldName === link) return undefined;
  if (known.includes(String(fieldName)) && rest.length === 0) return undefined;
  return `a member of ${name} has no ${[fieldName, ...rest].join(".")}, but ${listed(known)}`;
}

/** Whether ordered members, stored by name, have a member of this name or at this position. */
function hasMember(members: unknown, step: PathStep): boolean {
  if (containsUnknown(members)) return true;
  if (typeof members !== "object" || members === null) return false;
  const names = Object.keys(members);
  return typeof step === "number" ? step < names.length : names.includes(step);
}

/** Whether a value of a schema can have what the steps of a path lead to. */
function hasFields(
  schema: z.core.$ZodType,
  [name, ...inner]: readonly PathStep[],
): boolean {
  if (name === undefined) return true;
  return formsOf(schema).some((form) => {
    const isItem = typeof name === "number";
    const isList = form instanceof z.ZodArray;
    if (name !== "*" && isItem !== isList) return false;
    const part = name === "*" ? undefined : partOf(form, String(name));
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
