import * as z from "zod/mini";

// The schemas of an event use zod/mini. A webhook receiver that is bundled for the edge
// then has 12 kB and not 33 kB. Other schemas need methods that only zod has.

/**
 * An enumeration in an event. Like `openEnum`, it keeps a value that the service adds
 * later.
 */
export function eventEnum<const V extends readonly [string, ...string[]]>(
  values: V,
) {
  const text: unknown = z.string();
  const other = text as z.ZodMiniType<string & Record<never, never>>;
  return z.union([z.enum(values), other], "must be a text");
}

/** A text that an event may lack, as all members of an event but its ID and its time. */
export const text = z.nullish(z.string());
/** A number that an event may lack. */
export const number = z.nullish(z.number());
/** A signal that an event may lack. */
export const flag = z.nullish(z.boolean());
/** An enumeration that an event may lack. */
export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
) => z.nullish(eventEnum(values));
/** An object that an event may lack. */
export const object = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.nullish(z.looseObject(shape));
/** A list that an event may lack; a past event may have null in it. */
export const listOf = <S extends z.core.$ZodType>(item: S) =>
  z.nullish(z.array(z.nullable(item)));
