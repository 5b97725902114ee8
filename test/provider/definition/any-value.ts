import fc from "fast-check";
import {
  Secret,
  UNKNOWN,
  type Value,
} from "../../../provider/src/definition/value";

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string(),
);
const name = fc.stringMatching(/^[a-z]{1,6}$/);

/** Values with unknown parts and secrets at any depth. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      scalar,
      fc.constant(UNKNOWN),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      tie("value").map((value) => new Secret(value)),
    ),
  }),
).value;

/** Properties with such values. */
export const anyProperties = fc.dictionary(name, anyValue, {
  maxKeys: 6,
  noNullPrototype: true,
});

/** A value and every part of it, at any depth. */
export function partsOf(value: Value): Value[] {
  if (value instanceof Secret) return [value, ...partsOf(value.value)];
  if (typeof value !== "object" || value === null || value === UNKNOWN)
    return [value];
  return [value, ...Object.values(value).flatMap(partsOf)];
}
