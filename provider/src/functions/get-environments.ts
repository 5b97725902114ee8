import type { Environment } from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import { everyItem } from "./every-item";
import type {
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

const source = defineFunction<object, Environment[]>({
  name: "getEnvironments",
  run: (client, _args, signal) =>
    everyItem(client.environments.listAll({ signal })),
});

/** Environments of the workspace, oldest first, every page: the first is the default one (docs/contract.md, "GET /environments"). */
export function getEnvironments(
  options?: FunctionOptions,
): Promise<Environment[]> {
  return source.ask({}, options);
}

/** `getEnvironments` as an Output, which can wait for resources. */
export function getEnvironmentsOutput(
  options?: FunctionOutputOptions,
): Output<Environment[]> {
  return source.askOutput({}, options);
}
