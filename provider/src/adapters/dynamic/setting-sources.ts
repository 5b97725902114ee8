import {
  SETTING_NAMES,
  type SettingName,
  type SettingSource,
} from "@devid/sdk";
import { ARGUMENT_PREFIX, STACK_PREFIX } from "./wire";

/**
 * The places where a provider looks for its settings, in order: the arguments of
 * an explicit `devid.Provider`, then stack config. The SDK looks in the environment
 * after these.
 *
 * @param absence follows the name of a setting of stack config in messages where
 * there is no such setting at all
 */
export function settingSources(
  get: (key: string) => string | undefined,
  absence = "",
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
  const isGiven = SETTING_NAMES.some(
    (name) => get(STACK_PREFIX + name) !== undefined,
  );
  return [
    source(ARGUMENT_PREFIX, (name) => `devid.Provider argument ${name}`),
    source(
      STACK_PREFIX,
      (name) => `stack config ${STACK_PREFIX}${name}${isGiven ? "" : absence}`,
    ),
  ];
}
