import {
  SERVER_OPERATIONS,
  type ServerOperation,
} from "@devid/sdk/wire/events";
import { z } from "zod";
import {
  type Call,
  type JsonText,
  operation,
  type Operation,
} from "../http/operation";
import { querySchema, type QueryOf } from "./query-schema";

/** The checked query of an operation. */
type Query<O> = O extends { readonly query: infer T extends object }
  ? QueryOf<T>
  : unknown;

/** The checked body of an operation. */
type Body<O> = O extends { readonly body: z.ZodType<infer B> } ? B : unknown;

/** What differs between operations beside the table. */
type Own = Pick<Operation, "errors" | "errorFormat" | "refuse">;

/** What an operation answers; undefined for an empty body. */
type Answer<O> = O extends {
  readonly answer: infer S extends z.core.$ZodType;
}
  ? z.output<S>
  : undefined;

/** What the service needs to know of an operation. Version 3 may also take PUT. */
export interface ServedOperation extends Pick<
  ServerOperation,
  "path" | "summary" | "description" | "query" | "body" | "answer"
> {
  readonly method: ServerOperation["method"] | "PUT";
}

/**
 * Makes a function that serves the operations of a table, by their names.
 * @param ignored query parameters that are taken and have no effect
 */
export const servingOf =
  <T extends Record<keyof T, ServedOperation>>(
    table: T,
    ignored?: Readonly<Record<string, string>>,
  ) =>
  <N extends keyof T & string>(
    name: N,
    run: (
      call: Call<Query<T[N]>, Body<T[N]>>,
    ) => Answer<T[N]> | JsonText | void | Promise<Answer<T[N]> | JsonText>,
    own: Own = {},
  ): Operation => {
    const described: ServedOperation = table[name];
    const { method, path, summary, description, query, body } = described;
    return operation({
      ...{ name, method, path, summary, body },
      ...(description !== undefined && { description }),
      ...(query && { query: querySchema(query, ignored) }),
      answer: described.answer ?? z.undefined(),
      ...own,
      // The schemas of the operation have checked the call.
      run: (call) => run(call as Parameters<typeof run>[0]),
    });
  };

/** Serves an operation of the table that the client calls with. */
export const serveServerOperation = servingOf(SERVER_OPERATIONS);
