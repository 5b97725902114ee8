import { createClient, resolveConfiguration } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import {
  callFunction,
  type FunctionDefinition,
} from "../../definition/define-function";
import { mapSecrets } from "../../definition/map-secrets";
import { settingSources } from "../../definition/provider-settings";
import { endProgram } from "./end-program";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
import { redactArguments } from "./redact-arguments";
import {
  knownSettings,
  settingsFor,
  type ProviderSettings,
} from "./settings-for";
import { shownWithoutStack } from "./shown-without-stack";

/** Asks a data source now. The type of the answer is the one that is generated for it. */
export async function ask<Result>(
  source: FunctionDefinition,
  args: object,
  { provider, signal }: FunctionOptions = {},
): Promise<Result> {
  const settings = await knownSettings(provider, source.name);
  return (await askWith(source, settings, args, signal)) as Result;
}

/** Asks a data source once its arguments are known; in a preview the answer may be unknown. */
export function askOutput<Flat>(
  source: FunctionDefinition,
  args: DeepInput<object>,
  { provider, signal, dependsOn = [] }: FunctionOutputOptions = {},
): pulumi.Output<Flat> {
  const given = pulumi.output(datesAsText(args));
  return (
    pulumi
      .all([
        settingsFor(provider),
        given,
        // An ID is unknown until its resource is there.
        pulumi.all([dependsOn].flat().map(({ id }) => id)),
      ])
      .apply(([settings, known]) =>
        askWith(source, settings, known, signal)
          .catch(async (error: unknown) => {
            if (await pulumi.isSecret(given)) redactArguments(error, known);
            throw error;
          })
          .catch(endProgram),
      )
      // A secret within makes the whole a secret.
      .apply((result) => pulumi.output(result) as pulumi.Output<Flat>)
  );
}

async function askWith(
  source: FunctionDefinition,
  settings: ProviderSettings,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    const sources = settingSources((key) => settings[key]);
    const client = createClient(resolveConfiguration(sources));
    const answer = await callFunction(source, { client, args, signal });
    return mapSecrets(source.result, answer, (value) => pulumi.secret(value));
  } catch (error) {
    throw shownWithoutStack(error);
  }
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
