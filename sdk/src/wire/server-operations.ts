import type * as z from "zod";
import { DRN_API_VERSION, DRN_SIGNALS, DrnAnswer } from "./device-reputation";
import { EventRecord } from "./event";
import {
  EVENT_SEARCH_PARAMETERS,
  EventSearchAnswer,
  type ParameterTable,
} from "./event-search";
import { EventUpdate } from "./event-update";
import type { Operation } from "./operations";

/**
 * An operation of the APIs that take the secret key (docs/contract.md, "Events API",
 * "Device reputation (DRN) API"). A call of any operation may be repeated.
 */
export interface ServerOperation extends Operation {
  /** Its parameters in the query. Without a table, the service ignores all parameters. */
  readonly query?: ParameterTable;
  readonly body?: z.ZodObject;
  /** What it answers; an empty body unless given. */
  readonly answer?: z.core.$ZodType;
  /**
   * The member of the answer that names the object. An answer with another ID is an
   * error.
   */
  readonly idAt?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The client's errors by status, for answers whose code is unknown. An answer with one
   * of these statuses from 500 on is not asked for again.
   */
  readonly errorNames?: Readonly<Record<number, ServerErrorName>>;
}

/** Names of the client's errors that an operation may choose by a status. */
type ServerErrorName =
  | "eventNotFound"
  | "visitorNotFound"
  | "deviceNotFound"
  | "eventNotMutable"
  | "searchTimeout";

/** The operations, by their `operationId` in the OpenAPI document. */
export const SERVER_OPERATIONS = {
  getEvent: {
    name: "getEvent",
    method: "GET",
    path: "/events/:event_id",
    doing: "Reading event",
    summary: "Get an event",
    description: "event_id is what version 3 calls request_id.",
    query: {
      ruleset_id: {
        kind: "text",
        matches: "judges the event; the verdict is in rule_action",
      },
    },
    answer: EventRecord,
    idAt: "event_id",
    errorNames: { 404: "eventNotFound" },
  },
  updateEvent: {
    name: "updateEvent",
    method: "PATCH",
    path: "/events/:event_id",
    doing: "Updating event",
    summary: "Change the given members of an event",
    body: EventUpdate,
    idAt: "event_id",
    errorNames: { 404: "eventNotFound", 409: "eventNotMutable" },
  },
  searchEvents: {
    name: "searchEvents",
    method: "GET",
    path: "/events",
    doing: "Searching events",
    summary: "Search events",
    query: EVENT_SEARCH_PARAMETERS,
    answer: EventSearchAnswer,
    errorNames: { 504: "searchTimeout" },
  },
  deleteVisitorData: {
    name: "deleteVisitorData",
    method: "DELETE",
    path: "/visitors/:visitor_id",
    doing: "Deleting visitor",
    summary: "Delete the data of a visitor",
    description:
      "The visitor is deleted 5 minutes later by the service's clock, with its events of the last 10 days. The setting visitorDeletion has to be on. At most 30 an hour and 500 a day.",
    query: {},
    errorNames: { 404: "visitorNotFound" },
  },
  getDeviceReputation: {
    name: "getDeviceReputation",
    method: "GET",
    path: "/drn/:visitor_id",
    doing: "Reading the device reputation of visitor",
    summary: "Get the behaviour and risk of an Android device",
    query: {
      signals: {
        kind: "text",
        required: true,
        matches: `One or more of ${DRN_SIGNALS.join(", ")}, with commas between.`,
      },
    },
    answer: DrnAnswer,
    headers: { "x-api-version": DRN_API_VERSION },
    errorNames: { 404: "deviceNotFound" },
  },
} as const satisfies Record<string, ServerOperation>;

/** The operations of the APIs that take the secret key. */
export type ServerOperations = typeof SERVER_OPERATIONS;

/** What an operation answers; undefined for an empty body. */
export type ServerAnswer<N extends keyof ServerOperations> =
  ServerOperations[N] extends {
    readonly answer: infer S extends z.core.$ZodType;
  }
    ? z.output<S>
    : undefined;
