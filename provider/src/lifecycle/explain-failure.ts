import {
  camelPath,
  DevidError,
  NotFoundError,
  ValidationError,
  type Client,
} from "@devid/sdk";
import type { ResourceDefinition } from "../definition/define-resource";
import { goneError, IncompleteError } from "../definition/errors";
import { fieldsMarked } from "../definition/field";
import { redactorOf } from "../definition/redactor-of";
import { observed, stateOf, type Owned } from "./state";
import type { Values } from "../definition/value";

/** What an operation was given. */
export interface Given {
  readonly inputs: Values;
  /** Names of the inputs that the program marks as secret. */
  readonly secrets: ReadonlySet<string>;
  /** The state before an update. */
  readonly last?: Values & Owned;
}

/**
 * Prepares the error of an operation for the user: secrets are removed, and
 * properties have the program's names. An IncompleteError gets the whole state of
 * its object.
 */
export function explainFailure(
  definition: ResourceDefinition,
  client: Client,
  error: unknown,
  { inputs, last, secrets }: Given,
): Error {
  const incomplete = error instanceof IncompleteError;
  const cause = named(definition, incomplete ? error.cause : error, inputs);
  const redact = redactorOf([inputs, last ?? {}], secrets);
  cause.message = client.redact(redact(cause.message));
  // Hosts print stacks, and the message of our own errors is enough.
  cause.stack =
    cause instanceof DevidError ? "" : client.redact(redact(cause.stack ?? ""));
  if (!incomplete) return cause;
  const { owner, ...outputs } = error.outputs as Values & Owned;
  const kept = observed(definition, outputs, last, inputs);
  // The state gets the values of the service. Declared values are used only for local
  // fields, which the service does not have, and for immutable fields.
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
  if (error instanceof ValidationError) {
    const refused = error.renamed((path) => {
      const camel = camelPath(path);
      return definition.toInputPath?.(camel, inputs) ?? camel;
    });
    const references = fieldsMarked(definition.inputs, "references");
    if (
      refused.violations.some(({ property }) => references.includes(property))
    )
      refused.message += REFRESH_WHAT_IT_REFERS_TO;
    return refused;
  }
  return error instanceof Error ? error : new Error(String(error));
}

const REFRESH_WHAT_IT_REFERS_TO =
  "\nIf somebody deleted what it refers to, run pulumi refresh --run-program, which removes it from the state, and then pulumi up, which creates a new one.";

/**
 * The error of an update whose object somebody deleted before or during the update. Any
 * other error is returned unchanged.
 */
export function explainGone(kind: string, id: string, error: unknown): unknown {
  const cause = error instanceof IncompleteError ? error.cause : error;
  const isGone = cause instanceof NotFoundError && cause.operation.includes(id);
  return isGone ? goneError(`${kind} ${id}`, "it is") : error;
}
