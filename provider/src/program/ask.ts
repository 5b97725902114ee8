import * as pulumi from "@pulumi/pulumi";
import { asRunError, endProgram, runError } from "./program-errors";
import type { ProviderSettings, WorkspaceProvider } from "./provider-settings";
import type { OutputMembers } from "./pulumi-members";

/** Options of a data source. */
export interface FunctionOptions {
  /** The workspace to ask; default: that of stack config, then of the environment. */
  readonly provider?: WorkspaceProvider | undefined;
  /** Ends the wait for the answer when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the Output form of a data source. */
export interface FunctionOutputOptions extends FunctionOptions {
  /**
   * Resources that must exist first. If a preview would create one of them, the answer
   * is unknown.
   */
  readonly dependsOn?:
    | pulumi.CustomResource
    | readonly pulumi.CustomResource[]
    | undefined;
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

/** Asks a data source at once. */
export type DataSource<Args extends readonly unknown[], Result> = (
  ...given: [...Args, options?: FunctionOptions]
) => Promise<Result>;

/** Asks a data source as soon as its arguments are known. */
export type DataSourceOutput<Args extends readonly unknown[], Result> = (
  ...given: [...Args, options?: FunctionOutputOptions]
) => pulumi.Output<Result>;

/** The function of a data source. */
export const dataSource =
  <Result>(name: string) =>
  async (args: object = {}, options: FunctionOptions = {}): Promise<Result> => {
    const settings = await knownSettings(options.provider, name);
    return (await ask(name, settings, args, options)) as Result;
  };

/**
 * The Output form of a data source. In a preview, the answer may be unknown. A failure
 * ends the program.
 */
export const dataSourceOutput =
  <Result>(name: string) =>
  (
    args: DeepInput<object> = {},
    { dependsOn, ...options }: FunctionOutputOptions = {},
  ): pulumi.Output<Result> => {
    const inputs = pulumi.output(datesAsText(args));
    // The ID of a resource is unknown until the resource exists.
    const ids = pulumi.all([dependsOn ?? []].flat().map(({ id }) => id));
    return pulumi
      .all([settingsOf(options.provider), inputs, ids])
      .apply(([settings, known]) =>
        ask(name, settings, known, options).catch(async (error: unknown) => {
          if (await pulumi.isSecret(inputs)) {
            const { redactArguments } = await callingCode();
            redactArguments(error, known);
          }
          return endProgram(error);
        }),
      )
      .apply((answer) => pulumi.output(answer) as pulumi.Output<Result>);
  };

/** Loaded with the first call: a program without data sources needs neither a client nor schemas. */
const callingCode = () => import("./call-function.js");

async function ask(
  name: string,
  settings: ProviderSettings,
  args: unknown,
  options: FunctionOptions,
): Promise<unknown> {
  const { callByName } = await callingCode();
  try {
    return await callByName(name, settings, args, options);
  } catch (error) {
    throw asRunError(error);
  }
}

/**
 * The settings of a provider, or of stack config without a provider. They are not
 * marked as secret, because the mark would pass on to every answer.
 */
const settingsOf = (
  provider: FunctionOptions["provider"],
): pulumi.Output<ProviderSettings> =>
  provider
    ? pulumi.unsecret(provider.settings)
    : pulumi.output(pulumi.runtime.allConfig());

/**
 * The same settings, as plain values.
 * @throws RunError where one of them is known only during the deployment
 */
async function knownSettings(
  provider: FunctionOptions["provider"],
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

/**
 * Arguments with their dates as texts, also those in promises and Outputs: `pulumi.output`
 * makes an empty object of a Date. A date that is not valid becomes null, which is refused.
 */
function datesAsText(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Promise) return value.then(datesAsText);
  if (pulumi.Output.isInstance(value)) return value.apply(datesAsText);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, datesAsText(part)]),
  );
}
