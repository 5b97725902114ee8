import {
  SETTING_NAMES,
  type SettingName,
  type SettingSource,
} from "@devid/sdk";

/** Prefix of stack configuration: `devid:region`. */
export const STACK_PREFIX = "devid:";

/** Prefix of the arguments of an explicit `devid.Provider` in its configuration. */
export const ARGUMENT_PREFIX = "devid.Provider:";

/**
 * The places where a provider looks for its settings, in order: the arguments of
 * an explicit `devid.Provider`, then stack config. The SDK looks in the environment
 * after these.
 */
export function settingSources(
  get: (key: string) => string | undefined,
): SettingSource[] {
  const source = (
    prefix: string,
    describe: (name: SettingName) => string,
  ): SettingSource => ({
    settings: Object.fromEntries(
      SETTING_NAMES.map((name) => [name, get(prefix + name)]),
    ),
    describe,
  });
  return [
    source(ARGUMENT_PREFIX, (name) => `devid.Provider argument ${name}`),
    source(STACK_PREFIX, (name) => `stack config ${STACK_PREFIX}${name}`),
  ];
}
