import { status } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type {
  FoundObject,
  ResourceDefinition,
} from "../../definition/define-resource";
import { fieldMeta, unwrap } from "../../definition/field";
import {
  bareProperties,
  containsUnknown,
  type Properties,
} from "../../definition/value";
import { everyItem } from "../../session/answers";
import type { Session } from "../../session/session";
import { StatusError } from "./answer";
import { fromStruct } from "./property-codec";

/**
 * Lists the objects of a kind that have the inputs of a query, page by page. The
 * continuation of a page is the number of objects before it.
 */
export async function* listObjects(
  definition: ResourceDefinition,
  { client, signal }: Session,
  request: proto.ListRequest,
): AsyncGenerator<proto.ListResponse, void, undefined> {
  const { values: query } = bareProperties(fromStruct(request.getQuery()));
  refuseUnknownInputs(definition, query);
  if (containsUnknown(query)) {
    const computed = new proto.ListResponse.Computed();
    yield new proto.ListResponse().setComputed(computed);
    return;
  }
  const all = await everyItem(definition.list(client, signal));
  const found = all.filter((one) => matches(one, query));
  const from = Number(request.getContinuationToken() || 0);
  // The limit is one of all pages.
  const end = Math.min(found.length, request.getLimit() || Infinity);
  const next = Math.min(from + (request.getPageSize() || Infinity), end);
  for (const { id, outputs } of found.slice(from, next))
    yield new proto.ListResponse().setResult(
      new proto.ListResponse.Result()
        .setId(id)
        .setName(definition.title(outputs)),
    );
  if (next < end)
    yield new proto.ListResponse().setContinuation(
      new proto.ListResponse.Continuation().setContinuationToken(String(next)),
    );
}

/**
 * The inputs by which objects of a kind can be listed: inputs that the service has,
 * with a single value.
 */
export function listInputs({ inputs }: ResourceDefinition): string[] {
  return Object.entries(inputs.shape)
    .filter(([, field]) => {
      const { local, secret } = fieldMeta(field as z.ZodType);
      const { type } = unwrap(field as z.ZodType)._zod.def;
      return (
        !local &&
        !secret &&
        ["string", "number", "boolean", "enum"].includes(type)
      );
    })
    .map(([name]) => name);
}

function refuseUnknownInputs(
  definition: ResourceDefinition,
  query: Properties,
): void {
  const known = listInputs(definition);
  const wrong = Object.keys(query).filter((name) => !known.includes(name));
  if (wrong.length > 0)
    throw new StatusError(
      status.INVALID_ARGUMENT,
      `${definition.kind} cannot be listed by ${wrong.join(", ")}; ${known.length > 0 ? `only by ${known.join(", ")}` : "it takes no inputs"}.`,
    );
}

const matches = ({ outputs }: FoundObject, query: Properties) =>
  Object.entries(query).every(([name, value]) =>
    isDeepStrictEqual(outputs[name], value),
  );
