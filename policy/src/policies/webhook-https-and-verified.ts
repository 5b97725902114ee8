import { parseUrl } from "@devid/sdk/errors";
import { kindOfType, UNKNOWN_TEXT } from "@devid/pulumi/state";
import { isLoopback } from "@devid/sdk";
import { z } from "zod";
import { definePolicy, type StackResource } from "../define-policy";

/** A webhook has an https address, and a WebhookVerification, before it gets events. */
export const webhookHttpsAndVerified = definePolicy({
  name: "webhook-https-and-verified",
  description: "A webhook must have an https address and be verified.",
  config: z.strictObject({
    allowLoopback: z
      .boolean()
      .default(false)
      .describe("Let an address on this machine be http."),
  }),
  appliesTo: (type) => kindOfType(type) === "Webhook",
  check({ resource: { inputs }, config, report }) {
    // The message leaves out the address, which may contain a credential.
    if (!isAllowed(inputs.url, config.allowLoopback))
      report.violation(
        "The webhook's url does not start with https://, so events would be sent in plain text. Give it an https address.",
      );
  },
  checkStack({ resources, report }) {
    const verifications = ofKind(resources, "WebhookVerification");
    for (const webhook of ofKind(resources, "Webhook"))
      if (!verifications.some((one) => isOf(one, webhook)))
        report(
          webhook.urn,
          "The webhook is not verified, so it may get no event, or send them to somebody else. Declare a WebhookVerification of it, with its id as webhookId and its url.",
        );
  },
});

const ofKind = (resources: readonly StackResource[], kind: string) =>
  resources.filter(({ type }) => kindOfType(type) === kind);

/** Whether a verification refers to a webhook, or, where it names an ID, has its address. */
function isOf(verification: StackResource, webhook: StackResource): boolean {
  const { dependencies, properties } = verification;
  const { webhookId: named = [] } = dependencies;
  if (named.length > 0) return named.includes(webhook.urn);
  return properties.url === webhook.properties.url;
}

function isAllowed(url: unknown, allowLoopback: boolean): boolean {
  if (url === UNKNOWN_TEXT) return true;
  const parsed = typeof url === "string" ? parseUrl(url) : undefined;
  if (!parsed) return false;
  const { protocol, hostname } = parsed;
  return protocol === "https:" || (allowLoopback && isLoopback(hostname));
}
