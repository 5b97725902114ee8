import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { fieldMeta } from "../definition/field";
import { containsUnknown } from "./unknown";

type Properties = Readonly<Record<string, unknown>>;

/** Names of the inputs in which a program differs from a state. An unknown value differs. */
export function changedInputs(
  inputs: z.ZodObject,
  state: Properties,
  program: Properties,
): string[] {
  const fields = Object.entries(inputs.shape) as [string, z.ZodType][];
  return fields
    .filter(([name, field]) => {
      const { managedIfSet, chosenAs = name, createOnly } = fieldMeta(field);
      if (createOnly) return false;
      if (managedIfSet && program[name] === undefined) return false;
      const was = state[name] ?? state[chosenAs] ?? defaultOf(field);
      return (
        containsUnknown(program[name]) || !isDeepStrictEqual(was, program[name])
      );
    })
    .map(([name]) => name);
}

/** The default of a field, `undefined` where it has none. */
export function defaultOf(field: z.ZodType): unknown {
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
