import { ServiceError } from "../service-error";

/** An `event_id` is stored already, or is given twice. */
export class DuplicateEventError extends ServiceError {
  readonly name = "DuplicateEventError";

  constructor(
    /** Place in what was to be stored, from 0. */
    readonly index: number,
    readonly eventId: string,
  ) {
    super(`event_id ${eventId} exists already`);
  }
}
