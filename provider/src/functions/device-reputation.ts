import { DRN_SIGNALS, DrnRecord } from "@devid/sdk/wire/events";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";

/** What is known of a device (docs/contract.md, "GET /drn/{visitor_id}"). */
export const getDeviceReputation = defineFunction({
  name: "getDeviceReputation",
  description: "Worldwide behaviour and risk of an Android device.",
  throws:
    "VisitorNotFoundError, also for a visitor of a browser or an iOS device",
  args: z.strictObject({
    visitorId: z.string().describe("Visitor ID of an Android device."),
    signals: z
      .array(z.enum(DRN_SIGNALS))
      .min(1)
      .optional()
      .describe("The signals to request. Default: all."),
  }),
  result: named("DeviceReputation", DrnRecord, "@devid/sdk").describe(
    "Behaviour and risk of a device, in the service's own form. Signals that were not requested are absent.",
  ),
  run: ({ client, args: { visitorId, signals }, signal }) =>
    client.deviceReputation.get(visitorId, { signals, signal }),
});
