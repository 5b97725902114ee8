import {
  SERVER_OPERATIONS,
  type ServerAnswer,
  type ServerOperation,
  type ServerOperations,
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
interface Own extends Pick<Operation, "errors" | "errorFormat" | "refuse"> {
  /** Query parameters that are taken and have no effect. */
  readonly ignored?: Readonly<Record<string, string>>;
}

/** Serves an operation of the table. */
export function serveServerOperation<N extends keyof ServerOperations>(
  name: N,
  run: (
    call: Call<Query<ServerOperations[N]>, Body<ServerOperations[N]>>,
  ) => ServerAnswer<N> | JsonText | void | Promise<ServerAnswer<N> | JsonText>,
  { ignored, ...own }: Own = {},
): Operation {
  const described: ServerOperation = SERVER_OPERATIONS[name];
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
}
