/**
 * Every error that the agent throws or rejects with. If the service refused the
 * request, `code` is the service's code, otherwise the agent's, of which the vendor's agent
 * does not have `no_page`, `options_misconfigured` and `package_only_option`
 * (docs/assumptions.md, A180). `event_id` is null if no event is known
 * (docs/contract.md, "Agent errors").
 */
export class FingerprintError extends Error {
  override readonly name = "FingerprintError";
  readonly event_id: string | null;

  constructor(
    readonly code: string,
    message: string,
    {
      event_id = null,
      cause,
    }: { event_id?: string | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.event_id = event_id;
  }
}

/** Whether a caught value is an error of the agent, even of a second copy of it in the same page. */
export function isFingerprintError(error: unknown): error is FingerprintError {
  return (
    error instanceof Error &&
    error.name === "FingerprintError" &&
    "code" in error
  );
}
