import type { ApiKey } from "@devid/sdk";
import type { Output, Unwrap } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import { everyItem } from "./every-item";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
import { withSecrets, type WithSecrets } from "./secret-fields";

/** Arguments of `getApiKeys`: what is left out does not filter. */
export interface GetApiKeysArgs {
  /** Only keys of this type. */
  readonly type?: "public" | "secret" | "proxy";
  readonly status?: "enabled" | "disabled";
  /** Environment ID. */
  readonly environment?: string;
}

/** One of the API keys that `getApiKeys` answers; its secret fields are Pulumi secrets. */
export type ApiKeyResult = WithSecrets<ApiKey, "token">;

const source = defineFunction<
  GetApiKeysArgs,
  ApiKeyResult[],
  Unwrap<ApiKeyResult>[]
>({
  name: "getApiKeys",
  run: async (client, filters, signal) => {
    const found = await everyItem(
      client.apiKeys.listAll({ ...filters, signal }),
    );
    return found.map((record) => withSecrets(record, "token"));
  },
});

/** API keys of the workspace, oldest first, every page (docs/contract.md, "GET /api-keys"). */
export function getApiKeys(
  args: GetApiKeysArgs = {},
  options?: FunctionOptions,
): Promise<ApiKeyResult[]> {
  return source.ask(args, options);
}

/** `getApiKeys` with arguments that may be Outputs. It is a secret as a whole where a field of it is. */
export function getApiKeysOutput(
  args: DeepInput<GetApiKeysArgs> = {},
  options?: FunctionOutputOptions,
): Output<Unwrap<ApiKeyResult>[]> {
  return source.askOutput(args, options);
}
