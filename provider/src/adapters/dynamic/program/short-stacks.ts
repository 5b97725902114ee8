/** The class of errors, with the function that formats stacks where there is one. */
export const errors: {
  prepareStackTrace?: (error: Error, frames: NodeJS.CallSite[]) => unknown;
} = Error;

/**
 * Makes stacks cheap until the returned function is called, while a resource is
 * constructed. Pulumi keeps the stack of each promise that it makes, four for each
 * property, to name promises that never end; with source maps that took a quarter
 * of a program's time. Such a stack becomes the error's own text.
 *
 * Pulumi also takes one whole stack for each resource, without a limit of frames,
 * and keeps it in the state: the frame above the resource's class is the place of
 * the declaration. Left out of it are frames of `constructor`, a file that stands
 * between that class and Pulumi's, and the frames of Pulumi and Node.js that run the
 * program, which say nothing of the declaration and made a fifth of the state.
 *
 * Nothing changes where the stacks of promises are wanted, or where no source maps
 * are in use, because V8 formats stacks quickly itself.
 */
export function shortStacks(constructor: string): () => void {
  const { prepareStackTrace: format } = errors;
  if (!format || process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => undefined;
  errors.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Infinity
      ? format(error, framesOfProgram(frames, constructor))
      : String(error);
  return () => {
    errors.prepareStackTrace = format;
  };
}

function framesOfProgram(
  frames: readonly NodeJS.CallSite[],
  constructor: string,
): NodeJS.CallSite[] {
  const files = frames.map((frame) => frame.getFileName() ?? "node:");
  const own = files.lastIndexOf(constructor);
  return frames.filter((_, i) => {
    const file = files[i] ?? "";
    return file !== constructor && (i < own || !RUNTIME.test(file));
  });
}

const RUNTIME = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;
