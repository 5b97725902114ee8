import type { z } from "zod";
import { defaultOf } from "./changed-inputs";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import { toState } from "./to-state";

type Properties = Record<string, unknown>;

/** Values in the form that the engine keeps, with the version of their shape. */
export function stateOf(
  { schemaVersion }: ResourceDefinition,
  values: object,
): Properties {
  return toState({ ...values, schemaVersion });
}

/** The state after a write: inputs as declared, and what the service computed. */
export function declaredState(
  definition: ResourceDefinition,
  outputs: Properties,
  last: Properties | undefined,
  inputs: Properties,
): Properties {
  const computed = Object.entries(
    observed(definition, outputs, last, inputs),
  ).filter(([name]) => !(name in definition.inputs.shape));
  return stateOf(definition, { ...Object.fromEntries(computed), ...inputs });
}

/** The state after a read: what the service has, and what it knows nothing of. */
export function readState(
  definition: ResourceDefinition,
  outputs: Properties,
  last: Properties | undefined,
): Properties {
  return stateOf(definition, {
    ...observed(definition, outputs, last, last),
    ...localFields(definition, last),
  });
}

/** What the service has, with what it revealed once, and without what it chose for a field that is not declared. */
export function observed(
  { inputs, outputs: fields }: ResourceDefinition,
  outputs: Properties,
  last: Properties | undefined,
  declared: Properties | undefined,
): Properties {
  const kept = { ...outputs };
  for (const name of fieldsMarked(fields, "revealOnce"))
    kept[name] ??= last?.[name];
  if (declared)
    for (const name of fieldsMarked(inputs, "managedIfSet"))
      if (declared[name] === undefined) delete kept[name];
  return kept;
}

/** What the service knows nothing of, and the state has; defaults after an import. */
function localFields(
  { outputs }: ResourceDefinition,
  last: Properties | undefined,
): Properties {
  return Object.fromEntries(
    fieldsMarked(outputs, "local").map((name) => [
      name,
      last?.[name] ?? defaultOf(outputs.shape[name] as z.ZodType),
    ]),
  );
}
