import { kindOfType, UNKNOWN_TEXT } from "@devid/pulumi/state";
import { z } from "zod";
import type { DeclaredResource } from "../declared-resource";
import { definePolicy } from "../define-policy";

/** A public key has a rate limit, because everybody can read and use it. */
export const publicKeyHasRateLimit = definePolicy({
  name: "public-key-has-rate-limit",
  description: "A public API key must set a rate limit.",
  config: z.strictObject({
    max: z
      .number()
      .min(0.1)
      .default(100)
      .describe("Highest rate limit, requests per second."),
  }),
  appliesTo: (type) => kindOfType(type) === "ApiKey",
  remedy: ({ resource: { inputs }, config: { max } }) =>
    isLimited(inputs, max) ? undefined : { rateLimit: max },
  check({ resource: { inputs }, config: { max }, report }) {
    const { rateLimit } = inputs;
    if (isLimited(inputs, max)) return;
    if (typeof rateLimit !== "number")
      report.violation(
        `The public key sets no rate limit, and everybody who sees it can use it. Set rateLimit to at most ${max}.`,
      );
    else
      report.violation(
        `The public key may be used ${rateLimit} times a second; at most ${max} are allowed. Lower rateLimit.`,
      );
  },
});

/** Whether the limit of a key is low enough; true if it is unknown. */
function isLimited(
  { type, rateLimit }: DeclaredResource["inputs"],
  max: number,
): boolean {
  if (type !== "public" || rateLimit === UNKNOWN_TEXT) return true;
  return typeof rateLimit === "number" && rateLimit <= max;
}
