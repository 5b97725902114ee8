import type { Event } from "@devid/sdk";
import type { Output } from "@pulumi/pulumi";
import { defineFunction } from "./define-function";
import type {
  DeepInput,
  FunctionOptions,
  FunctionOutputOptions,
} from "./function-options";

/** Arguments of `getEvent`. */
export interface GetEventArgs {
  /** ID of the event; a `request_id` of version 3 is one, too. */
  readonly eventId: string;
  /** A ruleset of the dashboard; its verdict is in the event's `rule_action`. */
  readonly rulesetId?: string;
}

const source = defineFunction<GetEventArgs, Event>({
  name: "getEvent",
  run: (client, { eventId, rulesetId }, signal) =>
    client.events.get(eventId, { rulesetId, signal }),
});

/**
 * One identification event, in the service's own form (docs/contract.md, "Event record").
 * @throws EventNotFoundError, RulesetNotFoundError
 */
export function getEvent(
  args: GetEventArgs,
  options?: FunctionOptions,
): Promise<Event> {
  return source.ask(args, options);
}

/** `getEvent` with arguments that may be Outputs. */
export function getEventOutput(
  args: DeepInput<GetEventArgs>,
  options?: FunctionOutputOptions,
): Output<Event> {
  return source.askOutput(args, options);
}
