import { kindOfType, secretSettings, STACK_TYPE } from "@devid/pulumi/state";
import { KEY_PATTERN } from "@devid/rules";
import { REDACTED } from "@devid/sdk";
import { z } from "zod";
import type { DeclaredResource } from "../declared-resource";
import { definePolicy } from "../define-policy";
import { configuredKeys } from "../keys";
import { plainStackConfig } from "../stack-config";

/** A text, and where it was found. */
interface Place {
  readonly place: string;
  readonly text: string;
  /** Name of the setting; absent if the text is not from stack config. */
  readonly setting?: string;
}

/** Names of the settings in stack config that hold a key. */
const KEY_SETTINGS = secretSettings().map((name) => `devid:${name}`);

/**
 * No key is in plain text in stack config or in an input of a resource. Inputs of
 * our resources are not encrypted, so a key in any of them is a violation. A pack
 * cannot see which inputs of other resources are secrets: with `otherResources`, it
 * also reports encrypted keys.
 */
export const noSecretInPlainConfig = definePolicy({
  name: "no-secret-in-plain-config",
  description:
    "Plain stack config and the inputs of resources must not contain a management or secret key.",
  config: z.strictObject({
    pattern: z
      .string()
      .refine(isPattern, "it is not a regular expression")
      .default(KEY_PATTERN)
      .describe(
        "Regular expression that tells how a key looks. Default: 32 letters and digits, both cases and a digit among them.",
      ),
    except: z
      .array(z.string())
      .default([])
      .describe(
        "Places that are left out, as a message names them: `description`, `stack config shop:build`.",
      ),
    otherResources: z
      .boolean()
      .default(false)
      .describe(
        "Look at resources of other providers, too; there, an encrypted key is reported as well.",
      ),
  }),
  appliesTo: () => true,
  check({ resource, config, report }) {
    const looksLikeKey = new RegExp(config.pattern);
    const configured = configuredKeys(resource.provider);
    const whatIn = ({ text, setting }: Place) => {
      if (configured.some((key) => text.includes(key)))
        return "a key that devid is configured with";
      if (setting !== undefined && KEY_SETTINGS.includes(setting))
        return "a key";
      if (looksLikeKey.test(text))
        return "what looks like a management or secret key";
      return undefined;
    };
    for (const found of placesOf(resource, config.otherResources)) {
      const what = whatIn(found);
      if (!what || config.except.includes(found.place)) continue;
      // The names in a path may look like keys themselves.
      const place = found.place.replaceAll(
        new RegExp(config.pattern, "g"),
        REDACTED,
      );
      report.violation(
        `${place} holds ${what} in plain text. ${advice(found)}`,
      );
    }
  },
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function advice({ setting }: Place): string {
  return setting === undefined
    ? "Take it out, and replace the key in the service's dashboard if it was committed."
    : `Encrypt it: pulumi config set --secret ${setting}. If the file was committed, replace the key in the service's dashboard.`;
}

function placesOf(
  { type, inputs }: DeclaredResource,
  otherResources: boolean,
): Place[] {
  if (type === STACK_TYPE)
    return Object.entries(plainStackConfig()).map(([setting, text]) => ({
      place: `stack config ${setting}`,
      text,
      setting,
    }));
  // Types of `pulumi:` include providers; a devid.Provider encrypts its keys.
  const isOther = kindOfType(type) === undefined;
  if (isOther && (!otherResources || type.startsWith("pulumi:"))) return [];
  const { __provider, ...own } = inputs;
  return textsIn(own, []);
}

/** Every text in a value, including the names of members. */
function textsIn(value: unknown, path: readonly PropertyKey[]): Place[] {
  const place = z.core.toDotPath(path);
  if (typeof value === "string") return [{ place, text: value }];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => [
    {
      place: `the name of ${place ? `a member of ${place}` : "an input"}`,
      text: name,
    },
    ...textsIn(member, [...path, name]),
  ]);
}
