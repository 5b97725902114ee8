import * as pulumi from "@pulumi/pulumi";
import { asRunError, endProgram, runError } from "../program-errors";
import type { Provider } from "../dynamic/provider";

/** Options of a data source. */
export interface FunctionOptions {
  /** The workspace to ask; default: that of stack config, then of the environment. */
  readonly provider?: Provider | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the Output form of a data source. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must exist first. A preview that is to create one of them leaves the answer unknown. */
  readonly dependsOn?:
    pulumi.CustomResource | readonly pulumi.CustomResource[] | undefined;
}

/** Arguments of the Output form: each, at any depth, may be an Output. */
export type DeepInput<T> = pulumi.Input<
  T extends Date
    ? T
    : T extends readonly (infer Element)[]
      ? readonly DeepInput<Element>[]
      : T extends object
        ? { readonly [Name in keyof T]: DeepInput<T[Name]> }
        : T
>;

/** Settings by the name that they have in a provider's configuration. */
type ProviderSettings = Readonly<Record<string, string>>;

/** Asks the data source of a name at once. `Result` is the type that is generated for its answer. */
export async function ask<Result>(
  source: string,
  args: object,
  { provider, signal }: FunctionOptions = {},
): Promise<Result> {
  const settings = await knownSettings(provider, source);
  return (await askWith(source, settings, args, signal)) as Result;
}

/** Asks the data source of a name as soon as its arguments are known. In a preview the answer may be unknown. */
export function askOutput<Flat>(
  source: string,
  args: DeepInput<object>,
  { provider, signal, dependsOn = [] }: FunctionOutputOptions = {},
): pulumi.Output<Flat> {
  const given = pulumi.output(datesAsText(args));
  return (
    pulumi
      .all([
        settingsOf(provider),
        given,
        // The ID of a resource is unknown until the resource exists.
        pulumi.all([dependsOn].flat().map(({ id }) => id)),
      ])
      .apply(([settings, known]) =>
        askWith(source, settings, known, signal)
          .catch(async (error: unknown) => {
            if (await pulumi.isSecret(given)) {
              const { redactArguments } = await callingCode();
              redactArguments(error, known);
            }
            throw error;
          })
          .catch(endProgram),
      )
      // An answer that holds a secret is a secret as a whole.
      .apply((result) => pulumi.output(result) as pulumi.Output<Flat>)
  );
}

/** Loaded with the first call: a program without data sources needs neither a client nor schemas. */
const callingCode = () => import("./call-function.js");

async function askWith(
  source: string,
  settings: ProviderSettings,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { callByName } = await callingCode();
  try {
    return await callByName(source, settings, args, signal);
  } catch (error) {
    throw asRunError(error);
  }
}

/**
 * The settings of a provider, or of stack config where none is given. They are
 * not marked as secret here: the mark would pass on to every answer.
 */
function settingsOf(
  provider: Provider | undefined,
): pulumi.Output<ProviderSettings> {
  return provider
    ? pulumi.unsecret(provider.settings)
    : pulumi.output(pulumi.runtime.allConfig());
}

/** The members of an Output that Pulumi's declarations leave out. */
interface OutputMembers<T> {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<T>;
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
  throw runError(
    `${name} was given a provider with an argument that is not known in a preview; use ${name}Output, which waits for it.`,
  );
}

/** Arguments with their dates as texts: Pulumi would take a Date apart as it does any object. */
export function datesAsText(args: unknown): unknown {
  if (
    typeof args !== "object" ||
    args === null ||
    pulumi.Output.isInstance(args)
  )
    return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
