import { createClient, optionsFromEnvironment, Redactor } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import {
  callFunction,
  type FunctionDefinition,
} from "../../../definition/define-function";
import { mapSecrets } from "../../../definition/schema-secrets";
import * as functions from "../../../functions";
import { settingSources } from "../setting-sources";

const byName: Readonly<Record<string, FunctionDefinition>> = functions;

/**
 * Calls a data source with the settings of a provider, by the names that they have
 * in its configuration. Secret fields of the answer are Pulumi secrets.
 * @throws DevidError where the call fails
 */
export async function callByName(
  name: string,
  settings: Readonly<Record<string, string>>,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const source = byName[name];
  if (!source) throw new Error(`There is no data source ${name}.`);
  const sources = settingSources((key) => settings[key]);
  const client = createClient(optionsFromEnvironment(sources));
  const answer = await callFunction(source, { client, args, signal });
  return mapSecrets(source.result, answer, (value) => pulumi.secret(value));
}

/** Removes every text of secret arguments from an error's message, which may quote them. */
export function redactArguments(error: unknown, args: unknown): void {
  if (!(error instanceof Error)) return;
  const redactor = new Redactor();
  JSON.stringify(args, (_, value: unknown) => {
    if (typeof value === "string") redactor.add(value);
    return value;
  });
  error.message = redactor.redact(error.message);
}
