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
