import { createClient, resolveConfiguration, type Client } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import { settingSources } from "../definition/provider-settings";
import { endProgram } from "./end-program";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
import {
  knownSettings,
  settingsFor,
  type ProviderSettings,
} from "./settings-for";
import { shownWithoutStack } from "./shown-without-stack";

/** A data source: what it is called, and how it asks. */
export interface FunctionDefinition<Args, Result> {
  readonly name: string;
  readonly run: (
    client: Client,
    args: Args,
    signal: AbortSignal | undefined,
  ) => Promise<Result>;
}

/** The two forms of a data source; `Flat` is its result without Outputs in it. */
export interface DataSource<Args, Result, Flat> {
  readonly name: string;
  /** Asks now. */
  readonly ask: (args: Args, options?: FunctionOptions) => Promise<Result>;
  /** Asks once the arguments are known; in a preview the answer may be unknown. */
  readonly askOutput: (
    args: DeepInput<Args>,
    options?: FunctionOutputOptions,
  ) => pulumi.Output<Flat>;
}

/** Makes the two forms of a data source. */
export function defineFunction<Args extends object, Result, Flat = Result>(
  definition: FunctionDefinition<Args, Result>,
): DataSource<Args, Result, Flat> {
  const { name, run } = definition;
  const askWith = async (
    settings: ProviderSettings,
    args: Args,
    signal: AbortSignal | undefined,
  ) => {
    try {
      const sources = settingSources((key) => settings[key]);
      const client = createClient(resolveConfiguration(sources));
      return await run(client, args, signal);
    } catch (error) {
      throw shownWithoutStack(error);
    }
  };
  return {
    name,
    ask: async (args, { provider, signal } = {}) =>
      askWith(await knownSettings(provider, name), args, signal),
    askOutput: (args, { provider, signal, dependsOn = [] } = {}) =>
      pulumi
        .all([
          settingsFor(provider),
          pulumi.output(datesAsText(args)),
          // An ID is unknown until its resource is there.
          pulumi.all([dependsOn].flat().map(({ id }) => id)),
        ])
        .apply(([settings, known]) =>
          askWith(settings, known as Args, signal).catch(endProgram),
        )
        // A secret within makes the whole a secret.
        .apply((result) => pulumi.output(result) as pulumi.Output<Flat>),
  };
}

/** Pulumi takes objects apart to find Outputs in them, and a Date is an object. */
function datesAsText(args: unknown): unknown {
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
