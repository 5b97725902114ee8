import type { LegacyEvent } from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

/** Arguments of `getLegacyEvent`. */
export interface GetLegacyEventArgs {
  /** Request ID of the event, the `event_id` of version 4. */
  readonly requestId: string;
}

const source = defineFunction<GetLegacyEventArgs, LegacyEvent>({
  name: "getLegacyEvent",
  run: (client, { requestId }, signal) =>
    client.legacy.get(requestId, { signal }),
});

/**
 * One event in the form of version 3 (docs/contract.md, "Legacy event").
 * @deprecated Version 3 is switched off on Jan 7 2027: use `getEvent`.
 * @throws EventNotFoundError, VersionEndedError
 */
export function getLegacyEvent(
  args: GetLegacyEventArgs,
  options?: FunctionOptions,
): Promise<LegacyEvent> {
  return source.ask(args, options);
}

/**
 * `getLegacyEvent` with arguments that may be Outputs.
 * @deprecated Version 3 is switched off on Jan 7 2027: use `getEventOutput`.
 */
export function getLegacyEventOutput(
  args: DeepInput<GetLegacyEventArgs>,
  options?: FunctionOutputOptions,
): Output<LegacyEvent> {
  return source.askOutput(args, options);
}
