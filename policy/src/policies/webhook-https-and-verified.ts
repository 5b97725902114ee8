import { kindOfType, UNKNOWN_TEXT } from "@devid/pulumi/state";
import { isLoopback } from "@devid/sdk";
import { z } from "zod";
import type { DeclaredResource } from "../declared-resource";
import { definePolicy } from "../define-policy";

/** A webhook has an https address, and is verified before it gets events. */
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
  // It is not known whether the same address answers by https.
  remedy: ({ resource: { inputs } }) =>
    isVerified(inputs) ? undefined : { verify: true },
  check({ resource: { inputs }, config, report }) {
    // The message leaves out the address, which may contain a credential.
    if (!isAllowed(inputs.url, config.allowLoopback))
      report.violation(
        "The webhook's url does not start with https://, so events would be sent in plain text. Give it an https address.",
      );
    if (!isVerified(inputs))
      report.violation(
        "The webhook is not verified, so it may get no event, or send them to somebody else. Set verify: true.",
      );
  },
});

const isVerified = ({ verify }: DeclaredResource["inputs"]) =>
  verify === true || verify === UNKNOWN_TEXT;

function isAllowed(url: unknown, allowLoopback: boolean): boolean {
  if (url === UNKNOWN_TEXT) return true;
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (allowLoopback && isLoopback(hostname));
}
