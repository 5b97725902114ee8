import * as pulumi from "@pulumi/pulumi";
import {
  callFunction,
  type FunctionDefinition,
} from "../definition/define-function";
import { redactorOf } from "../definition/redactor-of";
import * as functions from "../functions";
import { connect, settingSources } from "../definition/setting-sources";
import { pluginType } from "../definition/engine-names";
import { hasMocks } from "./engine";

const byName: Readonly<Record<string, FunctionDefinition>> = functions;

interface CallOptions {
  readonly provider?: pulumi.ProviderResource | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a data source with the settings of a provider, given by their names in its
 * configuration. In a unit test, Pulumi's mocks answer instead, and nothing is sent.
 * @throws DevidError where the call fails
 */
export async function callByName(
  name: string,
  settings: Readonly<Record<string, string>>,
  args: unknown,
  { provider, signal }: CallOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  const source = byName[name];
  if (!source) throw new Error(`There is no data source ${name}.`);
  if (!hasMocks())
    return callFunction(source, {
      client: connect(settingSources((key) => settings[key])),
      args,
      signal,
    });
  // The mocks get the plugin's token of the data source.
  return pulumi.runtime.invoke(
    pluginType(source.name),
    JSON.parse(JSON.stringify(args)) as pulumi.Inputs,
    { ...(provider && { provider }) },
  );
}

/** Removes every text of secret arguments from an error's message, which may quote them. */
export function redactArguments(error: unknown, args: object): void {
  if (!(error instanceof Error)) return;
  const redact = redactorOf([{ ...args }], new Set(Object.keys(args)));
  error.message = redact(error.message);
}
