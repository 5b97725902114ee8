import type { Region } from "@devid/sdk";
import type { z } from "zod";
import type { AnswerError, Violation } from "./answer-error";
import type { Caller } from "./caller";

/**
 * An answer that is JSON already: stored records, which were checked when they
 * were stored. It is sent as it is, past the schema of the operation's answer.
 */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A request that has passed all checks. */
export interface Call<Query, Body> {
  /** The workspace that the path names, else the one that the token belongs to. */
  readonly workspace: Region;
  /** Who calls; undefined without a token. */
  readonly caller: Caller | undefined;
  /** The ID in the path, "" where it has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Names and values of the headers in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** Address that the request came from. */
  readonly ip: string;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

/**
 * One operation of a surface, told once: the router serves it, and
 * `GET /openapi.json` describes it.
 */
export interface Operation<
  Query = unknown,
  Body = unknown,
  Answer = unknown,
  Loaded = unknown,
> {
  /** `operationId` of the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the surface's prefix. One part may be an ID, such as `:id`, and one the `:region`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Longest body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  readonly answer: z.ZodType<Answer>;
  /** Of an answer that is a text; JSON unless told. */
  readonly contentType?: string;
  /** Statuses of errors, besides those that every operation of the surface has. */
  readonly errors?: readonly number[];
  /**
   * Loads what the service starts without. Awaited first, so that `check` and
   * `run` are one step that no other request comes between.
   */
  readonly load?: () => Promise<Loaded>;
  /**
   * What a schema cannot tell, such as whether an environment exists. It sees
   * the input as it came, for its violations are reported together with the
   * schema's. Not the place for a missing record, which is `run`'s to refuse.
   */
  readonly check?: (
    call: Call<unknown, unknown>,
    loaded: Loaded,
  ) => Violation[];
  /** How violations are told; by default as the management API does. */
  readonly refuse?: (violations: readonly Violation[]) => AnswerError;
  /** Does the work and answers the body. Throws AnswerError. */
  readonly run: (
    call: Call<Query, Body>,
    loaded: Loaded,
  ) => Answer | JsonText | Promise<Answer | JsonText>;
}

/** Tells an operation with the types of its schemas inferred. */
export function operation<Query, Body, Answer, Loaded>(
  told: Operation<Query, Body, Answer, Loaded>,
): Operation {
  // Sound, for the router hands `run` only what these very schemas and `load` answered.
  return told as unknown as Operation;
}
