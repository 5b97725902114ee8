/** The class of errors, with the function that formats stacks where there is one. */
export const errors: {
  prepareStackTrace?: (error: Error, frames: NodeJS.CallSite[]) => unknown;
} = Error;

/**
 * Makes two kinds of stacks that Pulumi takes cheap, until the returned function is
 * called, while a resource is constructed and registered:
 *
 * - that of each promise, four for each property and some for each call, to name
 *   promises that never end. With source maps they took a quarter of a program's
 *   time. Such a stack becomes the error's own text.
 * - the whole stack of each resource, which the state keeps. In it, the frame above
 *   the resource's class is the place of the declaration. Left out of it are frames of
 *   `constructor`, a file that stands between that class and Pulumi's, and the frames
 *   of Pulumi and Node.js that run the program, which say nothing of the declaration
 *   and made a fifth of the state.
 *
 * Every other stack stays as it is. Nothing changes where the stacks of promises are
 * wanted, or where no source maps are in use, because V8 formats stacks quickly itself.
 */
export function shortStacks(constructor: string): () => void {
  constructors.add(constructor);
  if (users === 0) {
    const format = errors.prepareStackTrace;
    if (!format || process.env.PULUMI_DEBUG_PROMISE_LEAKS)
      return () => undefined;
    const short = shortFormat(format);
    errors.prepareStackTrace = short;
    restore = () => {
      // Somebody may have put a function of their own in its place meanwhile.
      if (errors.prepareStackTrace === short) errors.prepareStackTrace = format;
    };
  }
  users += 1;
  return () => {
    users -= 1;
    if (users === 0) restore();
  };
}

/** How many resources need short stacks. */
let users = 0;
let restore: () => void;

/** The files that stand between the classes of resources and Pulumi's. */
const constructors = new Set<string>();

function shortFormat(
  format: NonNullable<typeof errors.prepareStackTrace>,
): typeof format {
  return (error, frames) => {
    const file = frames[0]?.getFileName() ?? "";
    if (PROMISES.test(file)) return String(error);
    return format(
      error,
      RESOURCES.test(file) && Error.stackTraceLimit === Infinity
        ? framesOfProgram(frames)
        : frames,
    );
  };
}

function framesOfProgram(
  frames: readonly NodeJS.CallSite[],
): NodeJS.CallSite[] {
  const files = frames.map((frame) => frame.getFileName() ?? "node:");
  const own = files.findLastIndex((file) => constructors.has(file));
  return frames.filter((_, i) => {
    const file = files[i] ?? "";
    return !constructors.has(file) && (i < own || !RUNTIME.test(file));
  });
}

/** The files of Pulumi that take the stacks of promises, and those of resources. */
const PROMISES = /@pulumi[\\/]pulumi[\\/]runtime[\\/]debuggable\.js$/;
const RESOURCES = /@pulumi[\\/]pulumi[\\/]resource\.js$/;
const RUNTIME = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;
