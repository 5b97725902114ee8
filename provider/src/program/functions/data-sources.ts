import type * as pulumi from "@pulumi/pulumi";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./asking";
import { FUNCTION_FORMS, type DataSources } from "./functions";

/** How an adapter asks a data source. */
export interface Asking<Provider> {
  /** At once. */
  ask(
    this: void,
    name: string,
    args: object | undefined,
    options?: FunctionOptions<Provider>,
  ): Promise<unknown>;
  /** As soon as the arguments are known. */
  askOutput(
    this: void,
    name: string,
    args: DeepInput<object> | undefined,
    options?: FunctionOutputOptions<Provider>,
  ): pulumi.Output<unknown>;
}

/** The functions of all data sources, as an adapter asks them: `getEvent` and `getEventOutput`. */
export function dataSources<Provider>({
  ask,
  askOutput,
}: Asking<Provider>): DataSources<Provider> {
  const functions = Object.entries(FUNCTION_FORMS).flatMap(([name, form]) => {
    const over = <Args, Options>(
      asked: (name: string, args: Args | object, options?: Options) => unknown,
    ) =>
      form.hasNoArguments
        ? (options?: Options) => asked(name, {}, options)
        : (args: Args, options?: Options) => asked(name, args, options);
    return [
      [name, over(ask)],
      [`${name}Output`, over(askOutput)],
    ];
  });
  return Object.fromEntries(functions) as DataSources<Provider>;
}
