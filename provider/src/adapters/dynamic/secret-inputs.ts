import * as pulumi from "@pulumi/pulumi";

/**
 * Names of the arguments that the program marks as secret, as a whole or in a
 * part. Pulumi takes the mark away before a dynamic provider gets the
 * arguments. Waits for nothing: the names come once the arguments are there.
 * @returns undefined where no argument can be secret; a promise of undefined
 * where none is
 */
export function secretInputs(
  args: object,
): Promise<string[] | undefined> | undefined {
  const waiting = Object.entries(args).filter(([, value]) =>
    holdsOutput(value),
  );
  if (waiting.length === 0) return undefined;
  const marks = waiting.map(async ([name, value]) =>
    (await pulumi.isSecret(asOutput(value))) ? [name] : [],
  );
  return Promise.all(marks).then(
    (names) => (names.flat().length > 0 ? names.flat().sort() : undefined),
    // What went wrong is told where the argument itself is used.
    () => undefined,
  );
}

/** A rejected Output costs more with each one that is made of it: end-program.ts. */
const asOutput = (value: unknown): pulumi.Output<unknown> =>
  pulumi.Output.isInstance(value) ? value : pulumi.output(value);

function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return Object.values(value).some(holdsOutput);
}
