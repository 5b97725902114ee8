import { LegacyEvent } from "@devid/sdk/wire/events";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";

/** One event in the form of version 3 (docs/contract.md, "Legacy event"). */
export const getLegacyEvent = defineFunction({
  name: "getLegacyEvent",
  description: "One event in the form of version 3.",
  deprecated: "Version 3 is switched off on Jan 7 2027: use `getEvent`.",
  throws: "EventNotFoundError, VersionEndedError",
  args: z.strictObject({
    requestId: z
      .string()
      .describe("Request ID of the event, the `event_id` of version 4."),
  }),
  result: named("LegacyEvent", LegacyEvent, "@devid/sdk").describe(
    "An event of version 3, in the service's own form.",
  ),
  run: ({ client, args: { requestId }, signal }) =>
    client.legacy.get(requestId, { signal }),
});
