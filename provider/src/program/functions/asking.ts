import * as pulumi from "@pulumi/pulumi";
import { endProgram, runError } from "../program-errors";

/** What the functions of a data source have to know of it. */
export interface FunctionForm {
  /** Its functions take options alone. */
  readonly hasNoArguments?: true;
  /** The member in which the plugin answers a list, for the engine passes objects only. */
  readonly member?: string;
  /** The secret fields of the answer, or of each item of the list. */
  readonly secrets?: readonly string[];
}

/** Options of a data source. */
export interface FunctionOptions<Provider> {
  /** The workspace to ask; default: that of stack config, then of the environment. */
  readonly provider?: Provider | undefined;
  /** Ends the wait for the answer when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the Output form of a data source. */
export interface FunctionOutputOptions<
  Provider,
> extends FunctionOptions<Provider> {
  /**
   * Resources that must exist first. If a preview would create one of them, the answer
   * is unknown.
   */
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

/**
 * The answer, once the arguments and the resources of `dependsOn` are known. A failure
 * ends the program. An answer that holds a secret is a secret as a whole.
 */
export function whenKnown<Args, Flat>(
  args: pulumi.Input<Args>,
  dependsOn: FunctionOutputOptions<never>["dependsOn"],
  ask: (args: pulumi.Unwrap<Args>) => Promise<unknown>,
): pulumi.Output<Flat> {
  // The ID of a resource is unknown until the resource exists.
  const ids = pulumi.all([dependsOn ?? []].flat().map(({ id }) => id));
  return pulumi
    .all([pulumi.output(args), ids])
    .apply(([known]) => ask(known as pulumi.Unwrap<Args>).catch(endProgram))
    .apply((answer) => pulumi.output(answer) as pulumi.Output<Flat>);
}

/** The error for a provider whose settings a preview does not know. */
export const unknownProvider = (name: string) =>
  runError(
    `${name} was given a provider with an argument that is not known in a preview; use ${name}Output, which waits for it.`,
  );

/** Arguments with their dates as texts, because Pulumi would send a Date as an object. */
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
