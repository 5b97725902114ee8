import {
  camelPath,
  DevidError,
  NotFoundError,
  ValidationError,
  type Client,
} from "@devid/sdk";
import type { ResourceDefinition } from "../definition/define-resource";
import { GoneError } from "../definition/errors";
import { fieldsMarked } from "../definition/field";
import { IncompleteError } from "../definition/incomplete-error";
import { observed, stateOf, type Kept } from "./state";

type Values = Readonly<Record<string, unknown>>;

/**
 * An error on its way out of an operation: without any secret, with properties
 * by the program's names, and of an object that was made or changed in part its
 * whole state.
 */
export function explainFailure(
  definition: ResourceDefinition,
  client: Client,
  error: unknown,
  inputs: Values,
  last: Values | undefined,
): Error {
  const incomplete = error instanceof IncompleteError;
  const cause = named(definition, incomplete ? error.cause : error, inputs);
  cause.message = client.redact(cause.message);
  // An error of ours says all in its message, and hosts print stacks.
  cause.stack =
    cause instanceof DevidError ? "" : client.redact(cause.stack ?? "");
  if (!incomplete) return cause;
  const { owner, ...outputs } = error.outputs as Values & Kept;
  const kept = observed(definition, outputs, last, inputs);
  // What was declared is not yet so, but for what the service knows nothing of, or never changes.
  const own = [
    ...fieldsMarked(definition.inputs, "local"),
    ...fieldsMarked(definition.inputs, "immutable"),
  ].map((name): [string, unknown] => [name, inputs[name]]);
  const values = { ...Object.fromEntries(own), ...kept };
  return new IncompleteError(
    error.id,
    stateOf(definition, values, owner),
    cause,
  );
}

function named(
  definition: ResourceDefinition,
  error: unknown,
  inputs: Values,
): Error {
  if (error instanceof ValidationError)
    return error.renamed((path) => {
      const camel = camelPath(path);
      return definition.toInputPath?.(camel, inputs) ?? camel;
    });
  return error instanceof Error ? error : new Error(String(error));
}

/** What an update is answered when somebody deleted the object; any other error as it is. */
export function explainGone(kind: string, id: string, error: unknown): unknown {
  if (!(error instanceof NotFoundError) || !error.operation.includes(id))
    return error;
  return new GoneError(
    `${kind} ${id} was not updated: it is no longer in the workspace; somebody deleted it. ` +
      `Run pulumi refresh, which takes it out of the state, and then pulumi up, which makes another one.`,
  );
}
