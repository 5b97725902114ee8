import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type {
  CheckFailure,
  ResourceDefinition,
} from "../definition/define-resource";
import type { FileMistake } from "../definition/file-input";
import { containsUnknown, UNKNOWN, type Values } from "../definition/value";

/** Inputs of a program without wrappers, and the names of those that it marks as secret. */
export interface ProgramInputs {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlySet<string>;
}

/** The same, with the content of a file in place of the file. */
interface Expanded extends ProgramInputs {
  readonly failures: readonly CheckFailure[];
  /**
   * The name of an input in the program: the name of the file argument if a file holds
   * the input.
   */
  givenAs(input: string): string;
}

/**
 * Replaces the file of a program by the input in the file, if the kind has such an
 * input. If this fails, or the file is not known yet, the input is unknown. `last` are
 * the inputs in the state.
 */
export function expandFile(
  definition: ResourceDefinition,
  given: ProgramInputs,
  last: Values | undefined,
): Expanded {
  const { fileInput } = definition;
  const asGiven = { ...given, failures: [], givenAs: (input: string) => input };
  if (!fileInput) return asGiven;
  const { name, inPlaceOf } = fileInput;
  const { [name]: file, ...values } = given.values;
  const own = values[inPlaceOf];
  const withInput = (value: unknown, failures: CheckFailure[] = []) => ({
    values: { ...values, [inPlaceOf]: value },
    secrets: new Set(
      [...given.secrets].map((one) => (one === name ? inPlaceOf : one)),
    ),
    failures,
    givenAs: (input: string) =>
      input === inPlaceOf && isGiven(file) ? name : input,
  });
  const refused = (property: string, reason: string) =>
    withInput(UNKNOWN, [{ property, reason }]);
  if (!isGiven(file) && !isGiven(own))
    return refused(inPlaceOf, `is required, or ${name} instead of it`);
  // The engine puts back the old value of an input whose changes are ignored.
  if (!isGiven(file) || isOfState(definition, inPlaceOf, own, last))
    return { ...asGiven, values };
  if (isGiven(own))
    return refused(
      name,
      `was given as well as ${inPlaceOf}; give only one of the two`,
    );
  if (containsUnknown(file)) return withInput(UNKNOWN);
  const isSecret = given.secrets.has(name);
  if (typeof file !== "string")
    return refused(name, "must be the path of a file");
  if (file === "")
    return refused(name, "is empty; it takes the path of a file");
  try {
    const found = fileInput.read(file);
    if ("value" in found) return withInput(found.value);
    return refused(name, describe(found.mistakes, file, isSecret));
  } catch (error) {
    return refused(name, unreadable(file, isSecret, error as Error));
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Whether an input equals the state, in the form that only a state has. */
function isOfState(
  definition: ResourceDefinition,
  name: string,
  value: unknown,
  last: Values | undefined,
): boolean {
  const isOld = last !== undefined && isDeepStrictEqual(last[name], value);
  const inStateForm = { [name]: value };
  return (
    isOld &&
    isGiven(value) &&
    isDeepStrictEqual(
      definition.normalize?.(inStateForm) ?? inStateForm,
      inStateForm,
    )
  );
}

/** The mistakes with their places, a line each. A secret file is not quoted. */
function describe(
  mistakes: readonly FileMistake[],
  path: string,
  isSecret: boolean,
): string {
  const lines = mistakes.map(({ line, column, message }) =>
    isSecret
      ? `${line}:${column} a mistake, which is not shown because the file is secret`
      : `${path}:${line}:${column} ${message}`,
  );
  return ["is not valid:", ...lines].join("\n  ");
}

function unreadable(
  path: string,
  isSecret: boolean,
  error: NodeJS.ErrnoException,
): string {
  const where = isSecret ? "its path is secret and not shown" : resolve(path);
  return error.code === "ENOENT"
    ? `does not exist: ${where}. A path is relative to the folder of the program`
    : `cannot be read: ${isSecret ? where : error.message}`;
}
