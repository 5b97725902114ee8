import type * as z from "zod";
import { DRN_API_VERSION, DRN_SIGNALS, DrnAnswer } from "./device-reputation";
import { EventRecord } from "./event";
import {
  EVENT_SEARCH_PARAMETERS,
  EventSearchAnswer,
  type ParameterTable,
} from "./event-search";
import { EventUpdate } from "./event-update";

/**
 * One operation of the APIs that take the secret key (docs/contract.md, "Events API",
 * "Device reputation (DRN) API"). The client encodes calls with it and
 * reads their answers. The local service checks calls with it. The OpenAPI document is made
 * from it. A call of any operation may be repeated.
 */
export interface ServerOperation {
  readonly method: "GET" | "PATCH" | "DELETE";
  /** Below the address of the API. */
  readonly path: `/${string}`;
  /** For the client's messages. `:id` stands for the ID or the arguments. */
  readonly doing: string;
  readonly summary: string;
  readonly description?: string;
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
  readonly errors?: Readonly<Record<number, ServerErrorName>>;
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
    method: "GET",
    path: "/events/:event_id",
    doing: "Reading event :id",
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
    errors: { 404: "eventNotFound" },
  },
  updateEvent: {
    method: "PATCH",
    path: "/events/:event_id",
    doing: "Updating event :id",
    summary: "Change the given members of an event",
    body: EventUpdate,
    idAt: "event_id",
    errors: { 404: "eventNotFound", 409: "eventNotMutable" },
  },
  searchEvents: {
    method: "GET",
    path: "/events",
    doing: "Searching events :id",
    summary: "Search events",
    query: EVENT_SEARCH_PARAMETERS,
    answer: EventSearchAnswer,
    errors: { 504: "searchTimeout" },
  },
  deleteVisitorData: {
    method: "DELETE",
    path: "/visitors/:visitor_id",
    doing: "Deleting visitor :id",
    summary: "Delete the data of a visitor",
    description:
      "The visitor is deleted 5 minutes later by the service's clock, with its events of the last 10 days. The setting visitorDeletion has to be on. At most 30 an hour and 500 a day.",
    query: {},
    errors: { 404: "visitorNotFound" },
  },
  getDeviceReputation: {
    method: "GET",
    path: "/drn/:visitor_id",
    doing: "Reading the device reputation of visitor :id",
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
    errors: { 404: "deviceNotFound" },
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
