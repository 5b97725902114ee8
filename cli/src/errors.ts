import { constants } from "node:os";

/** A command cannot be done as it was asked; the message says why, and what to do instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The output of `pulumi preview --json` does not show what a deployment does: the preview failed, or its text is cut off. */
export class FailedPreviewError extends UsageError {
  override readonly name = "FailedPreviewError";
}

/** Signals by which a person or a pipeline asks a command to end. */
export type EndSignal = "SIGINT" | "SIGTERM";

/** A signal asked the command to end before its work was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  /** As shells have it: 130 for SIGINT, 143 for SIGTERM. */
  readonly exitCode: number;

  /** @param howToGoOn a sentence on what is left behind, and how to go on from there */
  constructor(
    readonly signal: EndSignal,
    howToGoOn = "",
  ) {
    super(`Stopped by ${signal}. ${howToGoOn}`.trimEnd());
    this.exitCode = 128 + constants.signals[signal];
  }
}
