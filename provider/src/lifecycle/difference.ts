import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta, fieldsMarked } from "../definition/field";
import {
  containsUnknown,
  isRecord,
  ownMember,
  type Values,
} from "../definition/value";
import { stepsOf } from "./named-paths";
import type { DiffResponse, PropertyDiff } from "./requests";
import { defaultOf } from "./state";
import { OperationError } from "../definition/errors";

/** A field whose value differs between two sides; a side without a value has `undefined`. */
export interface FieldChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The only diff of the values of a kind: for the lifecycle, drift and the comparison of
 * workspaces. `before` are the values of a state or an object. If `after` is a program,
 * it may leave a field marked `managedIfSet` out, or declare the value that the service
 * chose. If `after` is an object, its own values count. Fields marked `suppressDiff`
 * never differ; an unknown value always does.
 */
export function changedFields(
  fields: z.ZodObject,
  before: Values,
  after: Values,
  as: "program" | "object",
): FieldChange[] {
  const isProgram = as === "program";
  return Object.keys(fields.shape).flatMap((name) => {
    const meta = fieldMeta(fieldOf(fields, name));
    const { managedIfSet, suppressDiff, computedAs = name } = meta;
    if (suppressDiff) return [];
    if (isProgram && managedIfSet && after[name] === undefined) return [];
    const chosen = isProgram ? before[computedAs] : undefined;
    const was = before[name] ?? chosen ?? absentValue(fields, name);
    const is = isProgram ? after[name] : fieldValue(fields, name, after);
    return isDeepStrictEqual(was, is) && !containsUnknown(is)
      ? []
      : [{ name, before: was, after: is }];
  });
}

/** Names of the inputs that differ between a state and a program. */
export const changedInputs = (
  inputs: z.ZodObject,
  state: Values,
  program: Values,
): string[] =>
  changedFields(inputs, state, program, "program").map(({ name }) => name);

/**
 * Names of the inputs that the service has with other values than a program declares.
 * Fields marked `local` are left out, because the service does not have them.
 */
export const changedInService = (
  inputs: z.ZodObject,
  outputs: Values,
  program: Values,
): string[] =>
  changedInputs(inputs, outputs, program).filter(
    (name) => !fieldMeta(fieldOf(inputs, name)).local,
  );

/** The value of a field of an object. */
export const fieldValue = (
  fields: z.ZodObject,
  name: string,
  values: Values,
): unknown => values[name] ?? absentValue(fields, name);

/** The value that counts if an object lacks a field. */
function absentValue(fields: z.ZodObject, name: string): unknown {
  const field = fieldOf(fields, name);
  return fieldMeta(field).comparedAs ?? defaultOf(field);
}

/**
 * Compares a state with inputs, both normalised, for the engine. A secret input counts as
 * one value: paths within it may have names of rules.
 */
export function findDifference(
  definition: ResourceDefinition,
  id: string,
  state: Values,
  inputs: Values,
  secrets: ReadonlySet<string> = new Set(),
): DiffResponse {
  const changed = changedFields(definition.inputs, state, inputs, "program");
  const immutable = fieldsMarked(definition.inputs, "immutable");
  const replaces = changed
    .map(({ name }) => name)
    .filter((name) => immutable.includes(name));
  const pending = pendingWork(definition, state, inputs);
  const places = changedPlaces(definition, changed, state, inputs);
  const changes = changed.length > 0 || pending !== undefined;
  const summary =
    changes && replaces.length === 0
      ? [
          describe(definition, state, inputs),
          pending && `${definition.kind} ${id}: ${pending}.`,
        ]
          .filter((line) => line !== undefined)
          .join("\n")
      : "";
  return {
    changes,
    properties: changed.flatMap(({ name, before, after }) => {
      const field = fieldOf(definition.inputs, name);
      const { setting } = fieldMeta(field);
      // A setting with its default value counts as absent, as in the state.
      const shown = (value: unknown) =>
        value === undefined || (setting && value === defaultOf(field))
          ? undefined
          : secrets.has(name)
            ? [value]
            : value;
      const isReplaced = replaces.includes(name);
      return propertyDiffs([name], shown(before), shown(after), isReplaced);
    }),
    ...(places.length > 0 && { places }),
    replaces,
    ...(summary && { summary }),
  };
}

/**
 * The paths of changed members of ordered inputs, by index: `rules[0].expression`. The
 * state has the members by name, but a program may write `replaceOnChanges:
 * ["rules[0].expression"]`.
 */
function changedPlaces(
  definition: ResourceDefinition,
  changed: readonly FieldChange[],
  state: Values,
  inputs: Values,
): string[] {
  const ordered = changed.filter(
    ({ name }) => name in (definition.orderedBy ?? {}),
  );
  return ordered.flatMap(({ name }) => {
    const was = membersInOrder(definition, name, state);
    const is = membersInOrder(definition, name, inputs);
    return (is.length > was.length ? is : was).flatMap((_, place) => {
      const [old = {}, now = {}] = [was[place], is[place]];
      const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
      return [...fields]
        .filter((field) => !isDeepStrictEqual(old[field], now[field]))
        .map((field) => `${name}[${place}].${field}`);
    });
  });
}

/**
 * The members of an ordered input. Empty if they are unknown, or if a state that was
 * edited by hand gives no order.
 */
function membersInOrder(
  definition: ResourceDefinition,
  name: string,
  inputs: Values,
): readonly Values[] {
  if (!isRecord(inputs[name])) return [];
  try {
    const members = definition.denormalize?.({ [name]: inputs[name] })[name];
    return Array.isArray(members) ? (members as Values[]) : [];
  } catch {
    return [];
  }
}

/**
 * Inputs with the state's values for ignored changes. The engine uses the last inputs
 * instead, and these may differ from the state after a refresh. A path of an object
 * covers its members.
 * @throws OperationError as `stepsByName`
 */
export function withIgnored<V extends Values>(
  definition: ResourceDefinition,
  inputs: V,
  state: Values,
  paths: readonly string[] = [],
): V {
  return paths.reduce<V>((changed, path) => {
    const steps = stepsByName(definition, inputs, state, path);
    return (
      steps.length > 0 ? withValueAt(changed, state, steps) : changed
    ) as V;
  }, inputs);
}

/**
 * The steps of a path in which a member of an ordered input, such as `rules[0]`, has its
 * name instead of its index, as in the state.
 * @throws OperationError that gives the path to write, if another member has that index now
 */
function stepsByName(
  definition: ResourceDefinition,
  inputs: Values,
  state: Values,
  path: string,
): string[] {
  const { kind, orderedBy = {} } = definition;
  const steps = stepsOf(path);
  const [input, place, ...rest] = steps;
  const names = steps.map(String);
  if (typeof input !== "string" || typeof place !== "number") return names;
  if (!(input in orderedBy)) return names;
  const [was, is] = [state, inputs].map(
    (values) => membersInOrder(definition, input, values)[place]?.name,
  );
  if (typeof is !== "string") return names;
  const fields = rest.map(String);
  if (was === is) return [input, is, ...fields];
  // Without the member's name, which may be secret.
  const byName = [`${input}["its name"]`, ...fields].join(".");
  throw new OperationError(
    `${kind}: ignoreChanges has "${path}", but another member has taken that position. Write the member's name instead of its position: '${byName}'.`,
  );
}

function withValueAt(
  value: unknown,
  source: unknown,
  [name, ...inner]: readonly string[],
): unknown {
  if (name === undefined) return source;
  if (!isRecord(value) || !isRecord(source)) return value;
  const changed: Record<string, unknown> = { ...value };
  for (const one of name === "*" ? Object.keys(value) : [name])
    if (Object.hasOwn(source, one))
      changed[one] = withValueAt(ownMember(value, one), source[one], inner);
  return changed;
}

/** The remaining work if no field differs; undefined while any input is unknown. */
export function pendingWork(
  definition: ResourceDefinition,
  state: Values,
  inputs: Values,
): string | undefined {
  return containsUnknown(inputs)
    ? undefined
    : definition.pending?.(state, inputs);
}

const fieldOf = (inputs: z.ZodObject, name: string) =>
  inputs.shape[name] as z.ZodType;

/** The paths at which two values differ. A list counts as one value. */
export function propertyDiffs(
  path: readonly string[],
  was: unknown,
  is: unknown,
  replaces: boolean,
): PropertyDiff[] {
  if (isDeepStrictEqual(was, is)) return [];
  if (isRecord(was) && isRecord(is))
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(
      (key) =>
        propertyDiffs(
          [...path, key],
          ownMember(was, key),
          ownMember(is, key),
          replaces,
        ),
    );
  const kind =
    was === undefined ? "add" : is === undefined ? "delete" : "update";
  return [{ ...pathOrParent(path, kind), replaces }];
}

/**
 * The path of a change in Pulumi's grammar. A name in brackets must not have a
 * backslash at its end or before a quotation mark. For such a name, the path of the
 * parent is used.
 */
function pathOrParent(
  path: readonly string[],
  kind: PropertyDiff["kind"],
): Pick<PropertyDiff, "path" | "kind"> {
  const odd = path.findIndex((name) => /\\("|$)/.test(name));
  if (odd > 0) return { ...pathOrParent(path.slice(0, odd), "update") };
  const [first = "", ...others] = path;
  const steps = others.map((name) =>
    /^[A-Za-z_$][\w$]*$/.test(name)
      ? `.${name}`
      : `["${name.replaceAll('"', '\\"')}"]`,
  );
  return { path: first + steps.join(""), kind };
}

/** The description of an update. An error in it must not fail the preview. */
function describe(
  definition: ResourceDefinition,
  ...update: Parameters<NonNullable<ResourceDefinition["describeUpdate"]>>
): string | undefined {
  try {
    return definition.describeUpdate?.(...update);
  } catch {
    return undefined;
  }
}
