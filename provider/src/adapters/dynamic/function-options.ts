import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";

/** Options of a data source. */
export interface FunctionOptions {
  /** The workspace to ask; default: that of stack config, then of the environment. */
  readonly provider?: Provider | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of the Output form of a data source. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that have to be there first. In a preview that is to create one of them, the answer is unknown. */
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
