import * as pulumi from "@pulumi/pulumi";
import { datesAsText, type DeepInput } from "../functions/ask-function";
import { endProgram, runError } from "../program-errors";
import { pluginType } from "../../definition/engine-names";
import { VERSION } from "./plugin-resource";
import type { Provider } from "./provider";

/** Options of a data source. */
export interface FunctionOptions {
  /** The workspace to ask; default: that of stack config, then of the environment. */
  readonly provider?: Provider | undefined;
  /** Ends the wait for the answer when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the Output form of a data source. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must exist first. A preview that is to create one of them leaves the answer unknown. */
  readonly dependsOn?:
    pulumi.CustomResource | readonly pulumi.CustomResource[] | undefined;
}

/** What the plugin answers for a data source. */
export interface AnswerForm {
  readonly name: string;
  /** The member that holds a list, for the engine passes objects only. */
  readonly member?: string;
  /** The secret fields of the answer, or of each item of the list. */
  readonly secrets?: readonly string[];
}

/** Asks a data source of the plugin at once. `Result` is the type that is generated for its answer. */
export async function ask<Result>(
  form: AnswerForm,
  args: object,
  options: FunctionOptions = {},
): Promise<Result> {
  const answer = await invoked(form, args, options);
  if (answer !== undefined) return answer as Result;
  throw runError(
    `${form.name} was given a provider with an argument that is not known in a preview; use ${form.name}Output, which waits for it.`,
  );
}

/** Asks a data source of the plugin as soon as its arguments are known. In a preview the answer may be unknown. */
export function askOutput<Flat>(
  form: AnswerForm,
  args: DeepInput<object>,
  { dependsOn = [], ...options }: FunctionOutputOptions = {},
): pulumi.Output<Flat> {
  return (
    pulumi
      .all([
        pulumi.output(datesAsText(args)),
        // The ID of a resource is unknown until the resource exists.
        pulumi.all([dependsOn].flat().map(({ id }) => id)),
      ])
      .apply(([known]) =>
        invoked(form, known as object, options).catch(endProgram),
      )
      // An answer that holds a secret is a secret as a whole.
      .apply(
        (answer) => pulumi.output(answer ?? unknown) as pulumi.Output<Flat>,
      )
  );
}

/** The value of an Output that a preview does not know, which Pulumi's declarations leave out. */
const { unknown } = pulumi as unknown as { readonly unknown: object };

/** An answer with its secrets marked; undefined in a preview that does not know the provider's settings. */
async function invoked(
  { name, member, secrets = [] }: AnswerForm,
  args: object,
  { provider, signal }: FunctionOptions,
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
  if (!answer || Object.keys(answer).length === 0) return undefined;
  if (member === undefined) return withSecrets(answer, secrets);
  const items = answer[member] as Record<string, unknown>[];
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

/** A promise that is rejected when the signal is aborted. The engine's call goes on, without anybody who waits. */
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
