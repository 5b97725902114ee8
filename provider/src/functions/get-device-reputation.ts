import type { DeviceReputation, DrnSignal } from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

/** Arguments of `getDeviceReputation`. */
export interface GetDeviceReputationArgs {
  /** Visitor ID of an Android device. */
  readonly visitorId: string;
  /** What to ask for: `regional_activity`, `suspect_score`, `timestamps`; default all. */
  readonly signals?: readonly DrnSignal[];
}

const source = defineFunction<GetDeviceReputationArgs, DeviceReputation>({
  name: "getDeviceReputation",
  run: (client, { visitorId, signals }, signal) =>
    client.drn.get(visitorId, { signals, signal }),
});

/**
 * Worldwide behaviour and risk of an Android device (docs/contract.md, "DRN record").
 * @throws VisitorNotFoundError, also for a visitor of a browser or an iOS device
 */
export function getDeviceReputation(
  args: GetDeviceReputationArgs,
  options?: FunctionOptions,
): Promise<DeviceReputation> {
  return source.ask(args, options);
}

/** `getDeviceReputation` with arguments that may be Outputs. */
export function getDeviceReputationOutput(
  args: DeepInput<GetDeviceReputationArgs>,
  options?: FunctionOutputOptions,
): Output<DeviceReputation> {
  return source.askOutput(args, options);
}
