import { output, runtime, unsecret, type Output } from "@pulumi/pulumi";
import type { Provider } from "./provider";
import { runError } from "./run-error";

/** Settings by the name that they have in a provider's configuration. */
export type ProviderSettings = Readonly<Record<string, string>>;

/**
 * Where a data source finds its settings: in a provider, or in stack config.
 * They are no secret here, or every answer would be one.
 */
export function settingsFor(
  provider: Provider | undefined,
): Output<ProviderSettings> {
  return provider ? unsecret(provider.settings) : output(runtime.allConfig());
}

/** The members of an Output that Pulumi's declarations leave out. */
interface Resolving<T> {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
}

/**
 * The same, now.
 * @throws RunError where one of them is known only during the deployment
 */
export async function knownSettings(
  provider: Provider | undefined,
  name: string,
): Promise<ProviderSettings> {
  const settings = settingsFor(
    provider,
  ) as unknown as Resolving<ProviderSettings>;
  if (await settings.isKnown) return settings.promise();
  throw runError(
    `${name} was given a provider with an argument that is not known in a preview; use ${name}Output, which waits for it.`,
  );
}
