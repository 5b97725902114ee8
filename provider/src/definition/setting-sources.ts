import {
  createClient,
  optionsFromEnvironment,
  SETTING_NAMES,
  type Client,
  type ClientOptions,
  type SettingName,
  type SettingSource,
} from "@devid/sdk";
import { stackConfigAdvice } from "./configuration";
import { ARGUMENT_PREFIX, STACK_PREFIX } from "./engine-names";

/** A client with the settings of these places, the first that has one, then of the environment. @throws ConfigurationError */
export const connect = (
  sources: readonly SettingSource[],
  options: ClientOptions = {},
): Client => createClient({ ...optionsFromEnvironment(sources), ...options });

/** How messages name stack config. */
export interface StackConfigTexts {
  /** Follows the name of a setting: when it is read. */
  readonly reading?: string;
  /**
   * Why the encrypted values of stack config cannot be read. Messages then do not
   * advise to set a key there.
   */
  readonly unreadable?: string;
}

/**
 * The places where a provider looks for its settings, in order: the arguments of
 * an explicit `devid.Provider`, then stack config. The SDK looks in the environment
 * after these.
 */
export function settingSources(
  get: (key: string) => string | undefined,
  { reading = "", unreadable }: StackConfigTexts = {},
): SettingSource[] {
  const settings = (prefix: string) =>
    Object.fromEntries(SETTING_NAMES.map((name) => [name, get(prefix + name)]));
  const ofStack: SettingSource["settings"] = settings(STACK_PREFIX);
  const isUnread = (name: SettingName) =>
    unreadable !== undefined && name.endsWith("Key") && !ofStack[name];
  return [
    {
      settings: settings(ARGUMENT_PREFIX),
      describe: (name) => `devid.Provider argument ${name}${reading}`,
    },
    {
      settings: ofStack,
      describe: (name) =>
        isUnread(name)
          ? undefined
          : `stack config ${STACK_PREFIX}${name}${reading}`,
      advice: (name) => unreadable ?? stackConfigAdvice(name),
    },
  ];
}
