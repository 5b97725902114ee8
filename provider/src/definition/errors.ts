import { DevidError } from "@devid/sdk/errors";

/**
 * An object exists and is not yet as declared. The engine keeps its state, and the
 * next update continues from there.
 */
export class IncompleteError extends DevidError {
  override readonly name = "IncompleteError";

  constructor(
    readonly id: string,
    /** All outputs of the object as it is now. */
    readonly outputs: Readonly<Record<string, unknown>>,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Runs the steps that follow a create; if one fails, the error carries the created object. */
  static async guard<T>(
    made: Pick<IncompleteError, "id" | "outputs">,
    steps: () => Promise<T>,
  ): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      throw new IncompleteError(made.id, made.outputs, error);
    }
  }
}

/** No object of a kind matches, or several do. */
export class LookupError extends DevidError {
  override readonly name = "LookupError";

  constructor(
    message: string,
    /** IDs of the objects that match: none, or several. */
    readonly matches: readonly string[],
  ) {
    super(message);
  }
}

/** An object must not be adopted; nothing was changed. */
export class AdoptionError extends DevidError {
  override readonly name = "AdoptionError";
}

/** An object that was to be updated is no longer in the workspace. */
export class GoneError extends DevidError {
  override readonly name = "GoneError";
}

/**
 * The error of an update whose object is gone. `what` says what was deleted: `it is`,
 * `its environment is`.
 */
export const goneError = (title: string, what: string): GoneError =>
  new GoneError(
    `${title} was not updated: ${what} no longer in the workspace, because somebody deleted it. ` +
      `Run pulumi refresh --run-program, which removes it from the state, and then pulumi up, which creates a new one.`,
  );

/** An operation cannot go on; the message says why, and what to do. */
export class OperationError extends DevidError {
  override readonly name = "OperationError";
}

/** A newer version of the package wrote a state, or somebody edited it; nothing was read or changed. */
export class StateError extends DevidError {
  override readonly name = "StateError";
}
