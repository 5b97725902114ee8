import { z } from "zod";

/** Why an output has no value, and what to do, by the value of another output. */
export interface AbsenceBy {
  readonly output: string;
  readonly reasons: Readonly<Record<string, string>>;
}

/** An output of the object whose ID the input `reference` holds. */
export interface CopiedFrom {
  readonly reference: string;
  readonly output: string;
}

/**
 * The marks of a field, which tell the lifecycle what to do. An absent mark is false.
 */
export interface FieldMeta {
  /** Encrypted in state, never shown. */
  readonly secret?: boolean;
  /**
   * The input that makes this output secret: if the input is secret, so is the output.
   */
  readonly secretWith?: string;
  /** A change replaces the resource. */
  readonly immutable?: boolean;
  /** The service shows it once; later reads keep the value of the state. */
  readonly revealOnce?: boolean;
  /**
   * If the program leaves the field out, the service chooses the value, and no value is
   * drift or a change.
   */
  readonly managedIfSet?: boolean;
  /** The output that holds the service's choice. */
  readonly computedAs?: string;
  /** The service does not have it; a read keeps the value of the state. */
  readonly local?: boolean;
  /** Only one operation uses the field; a difference is no change. */
  readonly suppressDiff?: boolean;
  /**
   * The field tells devid how to work; a change of only this field sends nothing to the
   * service.
   */
  readonly setting?: boolean;
  /** An update never changes it. */
  readonly stable?: boolean;
  /** The kind whose ID it holds. */
  readonly references?: string;
  /** Written programs take the value from an output of the object that another input refers to. */
  readonly copiedFrom?: CopiedFrom;
  /** Programs get this output as if it always had a value; the text says why it may have none, and what to do. */
  readonly absence?: string;
  /** Like `absence`, but chosen by the value of another output. */
  readonly absenceBy?: AbsenceBy;
  /**
   * A comparison of workspaces includes this output. If the service leaves it out, this
   * value counts.
   */
  readonly comparedAs?: string | number | boolean;
}

const registry = z.registry<FieldMeta>();

function mark<S extends z.ZodType>(schema: S, meta: FieldMeta): S {
  const copy = schema.clone();
  registry.add(copy, { ...fieldMeta(schema), ...meta });
  return copy;
}

/** Marks a field as secret: encrypted in state, never shown. */
export const secret = <S extends z.ZodType>(schema: S) =>
  mark(schema, { secret: true });

/** Marks an output that is secret if a certain input is secret. */
export const secretWith = <S extends z.ZodType>(input: string, schema: S) =>
  mark(schema, { secretWith: input });

/** Marks a field whose change replaces the resource. */
export const immutable = <S extends z.ZodType>(schema: S) =>
  mark(schema, { immutable: true });

/** Marks a field that the service shows once; the state keeps it. */
export const revealOnce = <S extends z.ZodType>(schema: S) =>
  mark(schema, { revealOnce: true });

/**
 * Marks a field that the service chooses while the program leaves it out; the
 * output `computedAs` holds the service's choice.
 */
export const managedIfSet = <S extends z.ZodType>(
  schema: S,
  computedAs?: string,
) => mark(schema, { managedIfSet: true, ...(computedAs && { computedAs }) });

/** Marks a field that the service does not have; the state keeps it. */
export const local = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true });

/**
 * Marks a field that concerns one operation only, such as `adopt` of a create: the
 * state keeps it, and a difference in it is no change.
 */
export const suppressDiff = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true, suppressDiff: true });

/** Marks a field that tells devid how to work; the state keeps it, and a change of it alone sends nothing. */
export const setting = <S extends z.ZodType>(schema: S) =>
  mark(schema, { local: true, setting: true });

/** Marks an output that no update changes, so that the preview of an update knows it. */
export const stable = <S extends z.ZodType>(schema: S) =>
  mark(schema, { stable: true });

/** Marks a field that holds the ID of an object of another kind. */
export const references = <S extends z.ZodType>(kind: string, schema: S) =>
  mark(schema, { references: kind });

/** Marks an input that repeats an output of an object to which another input refers. */
export const copiedFrom = <S extends z.ZodType>(from: CopiedFrom, schema: S) =>
  mark(schema, { copiedFrom: from });

/**
 * Marks an output whose type says that it always has a value. If it has none, reading
 * it fails with `absence`: sentences that follow `ApiKey "shop" has no token: ` and say
 * why, and what to do. With `absenceBy`, the value of another output chooses the
 * sentences. Reference pages show `absence`.
 */
export const expected = <S extends z.ZodType>(
  schema: S,
  absence: string,
  absenceBy?: AbsenceBy,
) => mark(schema, { absence, ...(absenceBy && { absenceBy }) });

/**
 * Marks an output that a comparison of workspaces includes. If the service leaves the
 * output out, `absent` counts as its value.
 */
export const compared = <S extends z.ZodType>(
  schema: S,
  absent: string | number | boolean,
) => mark(schema, { comparedAs: absent });

/** An output that holds a time. */
export const time = (text = "ISO 8601.") =>
  z.string().optional().describe(text);

/**
 * The input that holds the ID of an object to which another one belongs for ever. The
 * service chooses that object if the program gives none; `computedAs` holds its choice.
 */
export const chosenReference = (kind: string, computedAs: string) =>
  immutable(
    references(kind, managedIfSet(z.string().min(1), computedAs)),
  ).optional();

/** A function that computes its result once for each schema, because schemas never change. */
export function oncePerSchema<S extends z.core.$ZodType, T>(
  compute: (schema: S) => T,
): (schema: S) => T {
  const known = new WeakMap<S, { readonly result: T }>();
  return (schema) => {
    const found = known.get(schema) ?? { result: compute(schema) };
    known.set(schema, found);
    return found.result;
  };
}

/** The marks of a field, including those of the schemas below `optional`, `default` and `describe`. */
export const fieldMeta = oncePerSchema((schema): FieldMeta => {
  let meta: FieldMeta = {};
  for (
    let at: z.core.$ZodType | undefined = schema;
    at;
    at = innerOf(at) ?? at._zod.parent
  )
    meta = { ...registry.get(at), ...meta };
  return meta;
});

/** The schema that `optional`, `nullable` and `default` wrap. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const wraps =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault;
  return wraps ? schema._zod.def.innerType : undefined;
}

/** The forms of a value: of a union each, without `optional`, `nullable` and `default`. */
export function formsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const inner = unwrap(schema);
  return inner instanceof z.core.$ZodUnion
    ? inner._zod.def.options.flatMap(formsOf)
    : [inner];
}

/** The schemas of the members or items of one form. */
export function partsOf(form: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (form instanceof z.core.$ZodObject)
    return Object.values(form._zod.def.shape);
  if (form instanceof z.core.$ZodArray) return [form._zod.def.element];
  return form instanceof z.core.$ZodRecord ? [form._zod.def.valueType] : [];
}

/** The schema of a member or an item; undefined if there is none, or if a union has several. */
export function partOf(
  schema: z.core.$ZodType,
  name: PropertyKey,
): z.core.$ZodType | undefined {
  const inner = unwrap(schema);
  if (!(inner instanceof z.core.$ZodObject)) return partsOf(inner)[0];
  const { shape } = inner._zod.def;
  return Object.hasOwn(shape, name) ? shape[String(name)] : undefined;
}

/**
 * The fields that a resource has as outputs. Fields that only tell devid how to work
 * are arguments, not outputs.
 */
export const properties = (outputs: z.ZodObject): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(outputs.shape).filter(([, field]) => {
        const { setting, suppressDiff } = fieldMeta(field as z.ZodType);
        return !setting && !suppressDiff;
      }),
    ),
  );

/** Names of the fields of a schema that have a certain mark. */
export const fieldsMarked = (
  schema: z.ZodObject,
  mark: keyof FieldMeta,
): readonly string[] => namesByMark(schema).get(mark) ?? [];

/** The names of fields by mark, computed once, because every operation asks for them. */
const namesByMark = oncePerSchema(({ shape }: z.ZodObject) => {
  const names = new Map<string, string[]>();
  for (const [name, field] of Object.entries(shape))
    for (const [mark, value] of Object.entries(fieldMeta(field as z.ZodType)))
      if (value) names.set(mark, [...(names.get(mark) ?? []), name]);
  return names;
});
