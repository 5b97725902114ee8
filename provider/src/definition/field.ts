import { isSecret } from "@devid/sdk/wire";
import { z } from "zod";

/** What a field is to the lifecycle; everything here is false when absent. */
export interface FieldMeta {
  /** Encrypted in state, never shown. */
  readonly secret?: boolean;
  /** A change replaces the resource. */
  readonly immutable?: boolean;
  /** The service answers it once; later reads keep the value of the state. */
  readonly revealOnce?: boolean;
  /** Left out of the program, it is the service's to choose: no drift, no change. */
  readonly managedIfSet?: boolean;
  /** The output that tells what the service chose for it. */
  readonly chosenAs?: string;
  /** The service knows nothing of it: a read keeps what the state has. */
  readonly local?: boolean;
  /** It is about one operation and not about the object: no difference in it is a change. */
  readonly momentary?: boolean;
  /** It says how devid works, and the service knows nothing of it: a change of it alone sends nothing. */
  readonly setting?: boolean;
  /** An update never changes it. */
  readonly stable?: boolean;
  /** The kind whose ID it holds. */
  readonly references?: string;
  /** A program gets this output as if it were always there; this says why there may be none, and what to do. */
  readonly absence?: string;
  /** Workspaces are compared by this output, too, which counts as this value where the service does not answer it. */
  readonly comparedAs?: string | number | boolean;
}

const registry = z.registry<FieldMeta>();

function mark<S extends z.ZodType>(schema: S, meta: FieldMeta): S {
  const copy = schema.clone();
  registry.add(copy, { ...fieldMeta(schema), ...meta });
  return copy;
}

/** Marks a field as secret: encrypted in state, never shown. It is the mark of the client's own schemas. */
export { secret } from "@devid/sdk/wire";

/** Marks a field whose change replaces the resource. */
export const immutable = <S extends z.ZodType>(schema: S) =>
  mark(schema, { immutable: true });

/** Marks a field that the service shows once; the state keeps it. */
export const revealOnce = <S extends z.ZodType>(schema: S) =>
  mark(schema, { revealOnce: true });

/**
 * Marks a field that is the service's to choose while the program leaves it
 * out; the output `chosenAs` tells what it chose.
 */
export const managedIfSet = <S extends z.ZodType>(
  schema: S,
  chosenAs?: string,
) => mark(schema, { managedIfSet: true, ...(chosenAs && { chosenAs }) });

/** Marks a field that the service knows nothing of; the state keeps it. */
export const local = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true });

/**
 * Marks a field that is about one operation and not about the object, such as
 * what a creation adopts: the state keeps it, and no difference in it is a change.
 */
export const momentary = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true, momentary: true });

/** Marks a field that says how devid works; the state keeps it, and nothing is sent when it alone changes. */
export const setting = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true, setting: true });

/** Marks an output that no update changes, so that a preview of one knows it. */
export const stable = <S extends z.ZodType>(schema: S) =>
  mark(schema, { stable: true });

/** Marks a field that holds the ID of an object of another kind. */
export const references = <S extends z.ZodType>(kind: string, schema: S) =>
  mark(schema, { references: kind });

/**
 * Marks an output that a program gets as if it were always there. A program that
 * reads it where there is none fails with `absence`, sentences that follow
 * `ApiKey "shop" has no token: ` and say why, and what to do.
 */
export const expected = <S extends z.ZodType>(schema: S, absence: string) =>
  mark(schema, { absence });

/**
 * Marks an output by which workspaces are compared, as they are by inputs.
 * Where the service does not answer it, it counts as `absent`.
 */
export const compared = <S extends z.ZodType>(
  schema: S,
  absent: string | number | boolean,
) => mark(schema, { comparedAs: absent });

/** What a field is marked as, under `optional`, `default` and `describe`, too. */
export function fieldMeta(schema: z.ZodType): FieldMeta {
  let meta: FieldMeta = {};
  for (
    let at: z.core.$ZodType | undefined = schema;
    at;
    at = innerOf(at) ?? at._zod.parent
  )
    meta = { ...registry.get(at), ...meta };
  return isSecret(schema) ? { ...meta, secret: true } : meta;
}

/** The schema that `optional`, `nullable` and `default` wrap. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return wraps ? schema.def.innerType : undefined;
}

/** Names of the fields of a schema that carry a mark. */
export function fieldsMarked(
  schema: z.ZodObject,
  mark: keyof FieldMeta,
): string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => fieldMeta(field as z.ZodType)[mark])
    .map(([name]) => name);
}
