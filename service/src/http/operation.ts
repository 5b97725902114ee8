import type { Region } from "@devid/sdk";
import type { z } from "zod";
import type { AnswerError, ErrorFormat, Violation } from "./answer-error";
import type { Caller } from "./caller";

/**
 * An answer that is JSON text already, made from records that were checked when
 * they were stored. It is sent as it is, without the schema of the operation's
 * answer.
 */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A request that has passed all checks. */
export interface Call<Query = unknown, Body = unknown> {
  /** The workspace in the path. Without one, the workspace of the caller's key. */
  readonly workspace: Region;
  /** Who calls; undefined without a key. */
  readonly caller: Caller | undefined;
  /** The ID in the path; "" where the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Names and values of the headers in turn, in the order of the request. */
  readonly rawHeaders: readonly string[];
  readonly ip: string;
  /** Aborted when the caller closes the connection. */
  readonly signal: AbortSignal;
}

/**
 * One operation of a surface. The router and `GET /openapi.json` are both made
 * from it.
 */
export interface Operation<Query = unknown, Body = unknown, Answer = unknown> {
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * The path below the surface's prefix. One of its parts may be an ID, such as
   * `:id`, and one `:region`.
   */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether the service calls it deprecated; so is every operation of a deprecated surface. */
  readonly isDeprecated?: boolean;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** The longest body in bytes; 1 MiB unless given. */
  readonly bodyLimit?: number;
  /** The status of a successful answer; 200 unless given. */
  readonly status?: 201 | 202 | 204;
  /** An empty body unless given. */
  readonly answer?: z.core.$ZodType<Answer>;
  /** The media type of an answer that is a text; JSON unless given. */
  readonly contentType?: string;
  /**
   * Statuses of errors that only this operation has; the surface names the
   * common ones.
   */
  readonly errors?: readonly number[];
  /** The format of its errors. Default: the format of the surface. */
  readonly errorFormat?: ErrorFormat;
  /**
   * A check like `check` that takes long. Other requests are answered meanwhile. It is
   * awaited before `check`, so that no other request can come between `check` and `run`.
   */
  readonly slowCheck?: (call: Call) => Promise<Violation[]>;
  /**
   * Finds what a schema cannot, for example an environment that does not exist.
   * It gets the unchecked input, because its violations are reported together with
   * those of the schema. A missing record is left to `run`.
   */
  readonly check?: (call: Call) => Violation[];
  /** Turns violations into an error. Default: as its surface does. */
  readonly refuse?: (violations: readonly Violation[]) => AnswerError;
  /** Does the work and answers the body. Throws AnswerError. */
  readonly run: (
    call: Call<Query, Body>,
  ) => Answer | JsonText | Promise<Answer | JsonText>;
}

/** Defines an operation and infers its types from its schemas. */
export function operation<Query, Body, Answer>(
  definition: Operation<Query, Body, Answer>,
): Operation {
  // The cast is sound: the router passes to `run` only what these schemas have
  // answered.
  return definition as unknown as Operation;
}
