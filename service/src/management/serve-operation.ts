import type { ManagementOperation } from "@devid/sdk/wire";
import { z } from "zod";
import { notFound } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";
import { recordOf } from "../store/records";

type Call<O extends ManagementOperation> = Parameters<
  Operation<
    O extends { filter: z.ZodType<infer Filter> } ? Filter : unknown,
    O extends { body: z.ZodType<infer Body> } ? Body : unknown
  >["run"]
>[0];

/** What serving an operation returns; undefined or false if there is no such record. */
type Served<O extends ManagementOperation> = {
  readonly one: object | undefined;
  readonly page: never;
  readonly all: readonly object[];
  readonly nothing: boolean;
}[O["answers"]];

/**
 * Serves an operation of the table. `run` returns the row or the rows that are answered,
 * of which the answer has the members of the record.
 */
export function serve<O extends ManagementOperation>(
  served: O,
  run: (call: Call<O>) => Served<O>,
  checks: Pick<Operation, "check" | "slowCheck" | "errors"> = {},
): Operation {
  const described: ManagementOperation = served;
  const { kind, record, answers, filter, repeatsEnvironment } = described;
  const { name, method, path, summary, description, body, status } = described;
  const answer: z.ZodType = {
    one: z.object({
      data: record,
      ...(repeatsEnvironment && {
        environment: z.string().nullish(),
      }),
    }),
    all: z.object({ data: z.array(record) }),
    page: z.never(),
    nothing: z.undefined(),
  }[answers];
  return operation({
    ...{ name, method, path, summary, description, body, status, answer },
    // Parameters that are no filters are ignored, as in every other list.
    ...(filter && { query: z.object(filter.shape) }),
    ...checks,
    run: (call) => {
      // The schemas of the operation have checked the call.
      const found: boolean | object | undefined = run(call as Call<O>);
      if (found === undefined || found === false) throw notFound(kind, call.id);
      if (found === true) return undefined;
      if (Array.isArray(found))
        return { data: found.map((row: object) => recordOf(record, row)) };
      const { environment } = found as { readonly environment?: unknown };
      return {
        data: recordOf(record, found),
        ...(repeatsEnvironment && { environment }),
      };
    },
  });
}
