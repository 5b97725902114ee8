import {
  FingerprintError,
  isFingerprintError,
  type AgentErrorCode,
} from "./fingerprint-error";

/**
 * Throws FingerprintError for an option that is not in `names`, and for options that
 * are no object. Without this check, a misspelled option would have no effect and no
 * message. `subject` is the function that takes the options, such as `start()`. An
 * option that is undefined counts as left out. The message omits the names in
 * `unlisted`.
 */
export function checkOptionNames(
  subject: string,
  options: unknown,
  names: readonly string[],
  {
    code = "options_misconfigured",
    unlisted = [],
  }: { code?: AgentErrorCode; unlisted?: readonly string[] } = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new FingerprintError(
      code,
      `${subject} takes an object, with ${names.join(", ")}.`,
    );
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && ![...names, ...unlisted].includes(name))
      throw new FingerprintError(
        code,
        `${subject} has no option ${JSON.stringify(name)}; it has ${names.join(", ")}.`,
      );
}

/**
 * The options that `check` accepts, each checked by itself. If `check` refuses an
 * option with our code `options_misconfigured`, the option is left out with a warning
 * in the console. Any other error is thrown. Null counts as no options.
 */
export function keepValidOptions<Options extends object>(
  options: Options | null,
  check: (option: Options) => unknown,
): Options {
  const kept = Object.entries(options ?? {}).filter(([name, value]) => {
    try {
      check({ [name]: value } as Options);
      return true;
    } catch (error) {
      if (!isFingerprintError(error) || error.code !== "options_misconfigured")
        throw error;
      console.warn(`The option ${name} is left out: ${error.message}`);
      return false;
    }
  });
  return Object.fromEntries(kept) as Options;
}
