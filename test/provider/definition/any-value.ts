import fc from "fast-check";
import {
  OutputValue,
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

/** Values with unknown parts, secrets and outputs at any depth. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      scalar,
      fc.constant(UNKNOWN),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      tie("value").map((value) => new Secret(value)),
      fc
        .tuple(tie("value"), fc.boolean(), fc.array(name, { maxLength: 2 }))
        .map(([value, isSecret, urns]) => {
          return new OutputValue(value, isSecret, urns);
        }),
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
  if (value instanceof Secret || value instanceof OutputValue)
    return [value, ...partsOf(value.value)];
  if (typeof value !== "object" || value === null || value === UNKNOWN)
    return [value];
  return [value, ...Object.values(value).flatMap(partsOf)];
}
