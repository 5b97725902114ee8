import type { Webhook } from "@devid/sdk";
import type { Output, Unwrap } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import { everyItem } from "./every-item";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";
import { withSecrets, type WithSecrets } from "./secret-fields";

/** Arguments of `getWebhooks`: what is left out does not filter. */
export interface GetWebhooksArgs {
  readonly status?: "enabled" | "disabled";
  /** Environment ID. */
  readonly environment?: string;
}

/** One of the webhooks that `getWebhooks` answers; its secret fields are Pulumi secrets. */
export type WebhookResult = WithSecrets<Webhook, "signingKey" | "basicAuth">;

const source = defineFunction<
  GetWebhooksArgs,
  WebhookResult[],
  Unwrap<WebhookResult>[]
>({
  name: "getWebhooks",
  run: async (client, filters, signal) => {
    const found = await everyItem(
      client.webhooks.listAll({ ...filters, signal }),
    );
    return found.map((record) =>
      withSecrets(record, "signingKey", "basicAuth"),
    );
  },
});

/** Webhooks of the workspace, oldest first, every page (docs/contract.md, "GET /webhooks"). */
export function getWebhooks(
  args: GetWebhooksArgs = {},
  options?: FunctionOptions,
): Promise<WebhookResult[]> {
  return source.ask(args, options);
}

/** `getWebhooks` with arguments that may be Outputs. It is a secret as a whole where a field of it is. */
export function getWebhooksOutput(
  args: DeepInput<GetWebhooksArgs> = {},
  options?: FunctionOutputOptions,
): Output<Unwrap<WebhookResult>[]> {
  return source.askOutput(args, options);
}
