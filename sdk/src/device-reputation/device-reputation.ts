import { z } from "zod";
import { checkInput, pathSegment } from "../http/check-input";
import type { CallOptions } from "../http/request";
import type { SecretKeyApi } from "../server-api/server-api";
import {
  DRN_SIGNALS,
  DrnAnswer,
  type DrnRecord,
  type DrnSignal,
} from "../wire/device-reputation";

/** Behaviour and risk of a device, in the service's own form; what was not asked for is absent. */
export type DeviceReputation = z.output<typeof DrnRecord>;

/** Options of a call for device reputation. */
export interface DrnOptions extends CallOptions {
  /** What to ask for; default all three. */
  readonly signals?: readonly DrnSignal[];
}

const Options = z.object({
  signals: z
    .array(
      z.enum(DRN_SIGNALS, `must be one of ${DRN_SIGNALS.join(", ")}`),
      "must be an array",
    )
    .min(1, "must not be empty"),
});

/** Device reputation: what the service knows worldwide of Android devices (docs/contract.md, "Device reputation (DRN) API"). */
export class Drn {
  constructor(private readonly api: SecretKeyApi) {}

  /**
   * The reputation of the device of a visitor (docs/contract.md, "GET /drn/{visitor_id}").
   * @throws VisitorNotFoundError, also for a visitor of a browser or an iOS device
   */
  async get(
    visitorId: string,
    options: DrnOptions = {},
  ): Promise<DeviceReputation> {
    const operation = `Reading the device reputation of visitor ${visitorId}`;
    const { signals } = checkInput(
      Options,
      { signals: options.signals ?? DRN_SIGNALS },
      operation,
    );
    const answer = await this.api.read(DrnAnswer, {
      operation,
      path: `/drn/${pathSegment(visitorId, "visitorId", operation)}`,
      query: [["signals", signals.join(",")]],
      errors: { 404: "deviceNotFound" },
      signal: options.signal,
    });
    return answer.data;
  }
}
