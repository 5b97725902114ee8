import type { FilteringRule } from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

/** Arguments of `getFilteringRules`: what is left out does not filter. */
export interface GetFilteringRulesArgs {
  /** Environment ID. */
  readonly environment?: string;
  readonly status?: "enabled" | "disabled";
  /** A part of the name. */
  readonly name?: string;
}

const source = defineFunction<GetFilteringRulesArgs, FilteringRule[]>({
  name: "getFilteringRules",
  run: async (client, filters, signal) => [
    ...(await client.filteringRules.list({ ...filters, signal })),
  ],
});

/** Filtering rules in the order in force (docs/contract.md, "GET /filtering-rules"). */
export function getFilteringRules(
  args: GetFilteringRulesArgs = {},
  options?: FunctionOptions,
): Promise<FilteringRule[]> {
  return source.ask(args, options);
}

/** `getFilteringRules` with arguments that may be Outputs. */
export function getFilteringRulesOutput(
  args: DeepInput<GetFilteringRulesArgs> = {},
  options?: FunctionOutputOptions,
): Output<FilteringRule[]> {
  return source.askOutput(args, options);
}
