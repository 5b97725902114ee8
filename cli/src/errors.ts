/** What was asked for cannot be done as it was asked; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
