import * as z from "zod";

const MARKS = Symbol.for("@devid/sdk secret marks");

/** Which part of a value is secret: all of it, or the user-info and the query of a URL. */
type Secrecy = "all" | "url";

interface Mark {
  readonly secrecy: Secrecy;
}

// All copies of the package in a process share one registry, for example the CommonJS
// and the ES module build. Otherwise, one copy would not find the marks of another
// copy.
const shared = globalThis as { [MARKS]?: z.core.$ZodRegistry<Mark> };
const registry = (shared[MARKS] ??= z.registry<Mark>());

function mark<S extends z.core.$ZodType>(schema: S, secrecy: Secrecy): S {
  const copy = z.clone(schema);
  registry.add(copy, { secrecy });
  return copy;
}

/**
 * Marks a field, and everything in it, as secret. `optional`, `nullable`,
 * `default`, `describe` and further checks keep the mark; they may be called
 * before or after `secret`.
 *
 * @example
 * const Record = z.object({ id: z.string(), token: secret(z.string()).nullish() });
 */
export const secret = <S extends z.core.$ZodType>(schema: S): S =>
  mark(schema, "all");

/**
 * Marks a field that holds a URL. The URL may be shown without its user-info and its
 * query.
 */
export const secretUrl = <S extends z.core.$ZodType>(schema: S): S =>
  mark(schema, "url");

/** Whether a field is marked as secret. */
export function isSecret(schema: z.core.$ZodType): boolean {
  return secrecyOf(schema) === "all";
}

/** Whether a field is marked as a URL of which a part is secret. */
export function isSecretUrl(schema: z.core.$ZodType): boolean {
  return secrecyOf(schema) === "url";
}

/** Names of the fields of an object that are marked as secret. */
export function secretFields(schema: z.core.$ZodObject): string[] {
  return Object.entries(schema._zod.def.shape)
    .filter(([, field]) => isSecret(field))
    .map(([name]) => name);
}

/**
 * Every secret text in a value, at any depth, found by the marks of the schema. The
 * value need not match the schema.
 */
export function secretTexts(schema: z.core.$ZodType, value: unknown): string[] {
  const secrecy = secrecyOf(schema);
  if (secrecy === "all") return textsIn(value);
  if (secrecy === "url") return textsIn(value).flatMap(secretsOfUrl);
  return partsOf(schema, value).flatMap(([part, member]) =>
    secretTexts(part, member),
  );
}

/** The definition of a schema, made by zod or by zod/mini. */
const defOf = (schema: z.core.$ZodType) =>
  (schema as z.core.$ZodTypes)._zod.def;

function secrecyOf(schema: z.core.$ZodType): Secrecy | undefined {
  const own = registry.get(schema)?.secrecy;
  if (own) return own;
  for (const inner of wrappedBy(schema)) {
    const secrecy = secrecyOf(inner);
    if (secrecy) return secrecy;
  }
  return undefined;
}

/**
 * The inner schemas that read the same value: the schema inside `optional` and the
 * like, and each side of a union or a pipe.
 */
function wrappedBy(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = defOf(schema);
  switch (def.type) {
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "pipe":
      return [def.in, def.out];
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return [def.innerType];
    default:
      return [];
  }
}

/** The parts of a value, each with its schema. */
function partsOf(
  schema: z.core.$ZodType,
  value: unknown,
): (readonly [z.core.$ZodType, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  const def = defOf(schema);
  if (def.type === "object") {
    const members = new Map(Object.entries(value));
    return Object.entries(def.shape).map(([name, field]) => [
      field,
      members.get(name),
    ]);
  }
  const members: unknown[] = Object.values(value);
  if (def.type === "array")
    return members.map((member) => [def.element, member]);
  if (def.type === "record")
    return members.map((member) => [def.valueType, member]);
  return wrappedBy(schema).map((inner) => [inner, value]);
}

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A shorter user name or query value counts as an ordinary word and not as a secret. */
const SHORTEST_TOKEN = 8;

/** The secret parts of a URL, each as it is written and percent-decoded. */
function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const values = [...url.searchParams.values()];
  const written = text.slice(text.indexOf("?") + 1).split("#")[0] ?? "";
  return [
    url.password,
    decoded(url.password),
    url.password && `${url.username}:${url.password}`,
    url.search.slice(1),
    url.search && written,
    ...[url.username, ...values].filter(
      (text) => text.length >= SHORTEST_TOKEN,
    ),
  ].filter((secret) => secret !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
