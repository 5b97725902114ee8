import type { EncryptionKey } from "@devid/sdk";
import type { Output, Unwrap } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import { everyItem } from "./every-item";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
import { withSecrets, type WithSecrets } from "./secret-fields";

/** Arguments of `getEncryptionKeys`: what is left out does not filter. */
export interface GetEncryptionKeysArgs {
  readonly status?: "enabled" | "disabled";
  /** Environment ID. */
  readonly environment?: string;
}

/** One of the encryption keys that `getEncryptionKeys` answers; its secret fields are Pulumi secrets. */
export type EncryptionKeyResult = WithSecrets<
  EncryptionKey,
  "token" | "previousToken" | "nextToken"
>;

const source = defineFunction<
  GetEncryptionKeysArgs,
  EncryptionKeyResult[],
  Unwrap<EncryptionKeyResult>[]
>({
  name: "getEncryptionKeys",
  run: async (client, filters, signal) => {
    const found = await everyItem(
      client.encryptionKeys.listAll({ ...filters, signal }),
    );
    return found.map((record) =>
      withSecrets(record, "token", "previousToken", "nextToken"),
    );
  },
});

/** Encryption keys of the workspace, oldest first, every page (docs/contract.md, "GET /encryption-keys"). */
export function getEncryptionKeys(
  args: GetEncryptionKeysArgs = {},
  options?: FunctionOptions,
): Promise<EncryptionKeyResult[]> {
  return source.ask(args, options);
}

/** `getEncryptionKeys` with arguments that may be Outputs. It is a secret as a whole where a field of it is. */
export function getEncryptionKeysOutput(
  args: DeepInput<GetEncryptionKeysArgs> = {},
  options?: FunctionOutputOptions,
): Output<Unwrap<EncryptionKeyResult>[]> {
  return source.askOutput(args, options);
}
