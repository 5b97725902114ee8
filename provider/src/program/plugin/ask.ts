import * as pulumi from "@pulumi/pulumi";
import { pluginType } from "../../definition/engine-names";
import {
  datesAsText,
  unknownProvider,
  whenKnown,
  type DeepInput,
  type FunctionOptions,
  type FunctionOutputOptions,
} from "../functions/asking";
import { FUNCTION_FORMS } from "../functions/functions";
import { runError } from "../program-errors";
import type { Provider } from "./provider";
import { VERSION } from "./resource-class";

/** Asks a data source of the plugin at once. `Result` is the type that is generated for its answer. */
export async function ask<Result>(
  name: string,
  args: object = {},
  options: FunctionOptions<Provider> = {},
): Promise<Result> {
  const answer = await invoked(name, args, options);
  if (answer === undefined) throw unknownProvider(name);
  return answer as Result;
}

/** Asks a data source of the plugin as soon as its arguments are known. In a preview the answer may be unknown. */
export function askOutput<Flat>(
  name: string,
  args: DeepInput<object> = {},
  { dependsOn, ...options }: FunctionOutputOptions<Provider> = {},
): pulumi.Output<Flat> {
  return whenKnown(
    datesAsText(args) as object,
    dependsOn,
    async (known) => (await invoked(name, known, options)) ?? unknown,
  );
}

/** The value of an Output that a preview does not know, which Pulumi's declarations leave out. */
const { unknown } = pulumi as unknown as { readonly unknown: object };

/** An answer with its secrets marked; undefined in a preview that does not know the provider's settings. */
async function invoked(
  name: string,
  args: object,
  { provider, signal }: FunctionOptions<Provider>,
): Promise<unknown> {
  const call = pulumi.runtime.invoke(
    pluginType(name),
    datesAsText(args) as pulumi.Inputs,
    { ...(provider && { provider }), version: VERSION },
  );
  const answer = (await untilAborted(call, signal).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw runError(error instanceof Error ? error.message : String(error));
  })) as Record<string, unknown> | undefined;
  // The engine answers nothing in a preview that does not know the provider's settings.
  const isEmpty = !answer || Object.keys(answer).length === 0;
  if (isEmpty && provider && pulumi.runtime.isDryRun()) return undefined;
  const { member, secrets = [] } = FUNCTION_FORMS[name] ?? {};
  if (member === undefined) return withSecrets(answer ?? {}, secrets);
  const items = (answer?.[member] ?? []) as Record<string, unknown>[];
  return items.map((item) => withSecrets(item, secrets));
}

const withSecrets = (
  record: Record<string, unknown>,
  secrets: readonly string[],
): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      secrets.includes(name) ? pulumi.secret(value) : value,
    ]),
  );

/**
 * A promise that is rejected when the signal is aborted. The engine's call continues, and
 * its answer is ignored.
 */
function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", abort);
    });
  });
}
