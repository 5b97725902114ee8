import * as pulumi from "@pulumi/pulumi";
import {
  datesAsText,
  unknownProvider,
  whenKnown,
  type DeepInput,
  type FunctionOptions,
  type FunctionOutputOptions,
} from "../functions/asking";
import { asRunError } from "../program-errors";
import type { OutputMembers } from "../pulumi-members";
import type { Provider } from "./provider";

/** Settings by the name that they have in a provider's configuration. */
type ProviderSettings = Readonly<Record<string, string>>;

/** Calls a data source at once. `Result` is the generated type of its answer. */
export async function ask<Result>(
  name: string,
  args: object = {},
  { provider, signal }: FunctionOptions<Provider> = {},
): Promise<Result> {
  const settings = await knownSettings(provider, name);
  return (await askWith(name, settings, args, signal)) as Result;
}

/**
 * Calls a data source as soon as its arguments are known. In a preview, the answer may
 * be unknown.
 */
export function askOutput<Flat>(
  name: string,
  args: DeepInput<object> = {},
  { provider, signal, dependsOn }: FunctionOutputOptions<Provider> = {},
): pulumi.Output<Flat> {
  const given = pulumi.output(datesAsText(args));
  return whenKnown(
    pulumi.all([settingsOf(provider), given]),
    dependsOn,
    ([settings, known]) =>
      askWith(name, settings, known, signal).catch(async (error: unknown) => {
        if (await pulumi.isSecret(given)) {
          const { redactArguments } = await callingCode();
          redactArguments(error, known);
        }
        throw error;
      }),
  );
}

/** Loaded with the first call: a program without data sources needs neither a client nor schemas. */
const callingCode = () => import("./call-function.js");

async function askWith(
  name: string,
  settings: ProviderSettings,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { callByName } = await callingCode();
  try {
    return await callByName(name, settings, args, signal);
  } catch (error) {
    throw asRunError(error);
  }
}

/**
 * The settings of a provider, or of stack config without a provider. They are not
 * marked as secret, because the mark would pass on to every answer.
 */
function settingsOf(
  provider: Provider | undefined,
): pulumi.Output<ProviderSettings> {
  return provider
    ? pulumi.unsecret(provider.settings)
    : pulumi.output(pulumi.runtime.allConfig());
}

/**
 * The same settings, as plain values.
 * @throws RunError where one of them is known only during the deployment
 */
async function knownSettings(
  provider: Provider | undefined,
  name: string,
): Promise<ProviderSettings> {
  const settings = settingsOf(
    provider,
  ) as unknown as OutputMembers<ProviderSettings>;
  if (await settings.isKnown) return settings.promise();
  throw unknownProvider(name);
}
