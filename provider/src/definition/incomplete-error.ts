import { DevidError } from "@devid/sdk";

/**
 * The object exists and is not yet as declared. State keeps it, as it is, and
 * the next update goes on from there.
 */
export class IncompleteError extends DevidError {
  override readonly name = "IncompleteError";

  constructor(
    readonly id: string,
    /** All outputs, as the service has them. */
    readonly outputs: object,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Runs the steps that follow a creation; when one fails, the object that was made is not lost. */
  static async guard<T>(
    made: { readonly id: string; readonly outputs: object },
    steps: () => Promise<T>,
  ): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      throw new IncompleteError(made.id, made.outputs, error);
    }
  }
}
