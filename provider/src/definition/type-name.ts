import { z } from "zod";

/** The TypeScript type of a schema's values. */
export interface TypeName {
  readonly name: string;
  /** The package that has it; without one, it is generated. */
  readonly from?: "@devid/sdk";
}

const registry = z.registry<TypeName>();

/** Gives a schema the name that its values have in generated types and in the reference. */
export function named<S extends z.ZodType>(
  name: string,
  schema: S,
  from?: TypeName["from"],
): S {
  const copy = schema.clone();
  registry.add(copy, { name, ...(from && { from }) });
  return copy;
}

/** The name that a schema was given, under `describe`, too. */
export function typeName(schema: z.core.$ZodType): TypeName | undefined {
  return registry.get(schema);
}
