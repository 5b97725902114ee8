import { labelOf } from "../kind-of";
import type * as z from "zod";
import type { CallOptions } from "../http/request";
import type { ServerApi } from "../server-api/server-api";
import { checkInput } from "../http/check-input";
import type { DrnRecord, DrnSignal } from "../wire/device-reputation";

/** Behaviour and risk of a device, in the service's own form. Signals that were not requested are absent. */
export type DeviceReputation = z.output<typeof DrnRecord>;

/** The name of one part of a device's reputation. */
export type DeviceReputationSignal = DrnSignal;

/** Options of a call for device reputation. */
export interface DeviceReputationOptions extends CallOptions {
  /** The parts to request. Default: all three. */
  readonly signals?: readonly DeviceReputationSignal[] | undefined;
}

/** Device reputation: what the service knows worldwide of Android devices (docs/contract.md, "Device reputation (DRN) API"). */
export class DeviceReputations {
  constructor(private readonly api: ServerApi) {}

  /**
   * The reputation of the device of a visitor (docs/contract.md, "GET /drn/{visitor_id}").
   * @throws VisitorNotFoundError, also for a visitor of a browser or an iOS device
   *
   * @example
   * const { suspectScore } = await client.deviceReputation.get(visitorId, {
   *   signals: ["suspect_score"],
   * });
   */
  async get(
    visitorId: string,
    options: DeviceReputationOptions = {},
  ): Promise<DeviceReputation> {
    const { DRN_SIGNALS, DrnOptions } =
      await import("../server-api/schemas.js");
    const { signals } = checkInput(
      DrnOptions,
      { signals: { ...options }.signals ?? DRN_SIGNALS },
      `Reading the device reputation of visitor ${labelOf(visitorId)}`,
    );
    const answer = await this.api.call(
      "getDeviceReputation",
      { id: visitorId, args: { signals: signals.join(",") } },
      options,
    );
    return answer.data;
  }
}
