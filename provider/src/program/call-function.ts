import * as pulumi from "@pulumi/pulumi";
import {
  callFunction,
  listMember,
  type FunctionDefinition,
} from "../definition/define-function";
import { redactorOf } from "../definition/redactor-of";
import { mapSecrets } from "../definition/schema-secrets";
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
 * Secret fields of the answer are Pulumi secrets.
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
  const answer = hasMocks()
    ? await askMocks(source, args, provider)
    : await callFunction(source, {
        client: connect(settingSources((key) => settings[key])),
        args,
        signal,
      });
  return mapSecrets(source.result, answer, (value) => pulumi.secret(value));
}

/**
 * Asks Pulumi's mocks. `call` gets the plugin's token of the data source. It returns a
 * list in the plugin's member, such as `apiKeys` of `getApiKeys`. Without the member,
 * the list is empty.
 */
async function askMocks(
  source: FunctionDefinition,
  args: unknown,
  provider: CallOptions["provider"],
): Promise<unknown> {
  const answer = (await pulumi.runtime.invoke(
    pluginType(source.name),
    JSON.parse(JSON.stringify(args)) as pulumi.Inputs,
    { ...(provider && { provider }) },
  )) as Readonly<Record<string, unknown>>;
  const member = listMember(source);
  return member === undefined ? answer : (answer[member] ?? []);
}

/** Removes every text of secret arguments from an error's message, which may quote them. */
export function redactArguments(error: unknown, args: object): void {
  if (!(error instanceof Error)) return;
  const redact = redactorOf([{ ...args }], new Set(Object.keys(args)));
  error.message = redact(error.message);
}
