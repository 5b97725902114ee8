import { SECRET_TEXT, UNKNOWN_TEXT } from "@devid/pulumi/state";
import { withoutKeys as withoutSecrets } from "@devid/rules";
import { isKeyVariable, Redactor } from "@devid/sdk";

/** Characters: a shorter text may be part of an ordinary word. */
const SHORTEST_KEY = 8;

/** The keys in the environment, and those in a provider's settings. */
export function configuredKeys(
  provider: Readonly<Record<string, unknown>> = {},
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  return [
    ...namedValues(env, isKeyVariable),
    ...namedValues(provider, isKeySetting),
  ].filter(
    (key) =>
      key.length >= SHORTEST_KEY && key !== SECRET_TEXT && key !== UNKNOWN_TEXT,
  );
}

/** A text in which the given keys, and everything that looks like a key, are redacted. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const redactor = new Redactor();
  redactor.add(...keys);
  return withoutSecrets(text, (part) => redactor.redact(part));
}

const isKeySetting = (name: string) =>
  /^devid.*:(management|secret)Key$/.test(name);

function namedValues(
  from: Readonly<Record<string, unknown>>,
  isNamed: (name: string) => boolean,
): string[] {
  return Object.entries(from).flatMap(([key, value]) =>
    isNamed(key) && typeof value === "string" ? [value.trim()] : [],
  );
}
