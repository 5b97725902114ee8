/** Base of every error of this package: the message is complete and meant for people. */
export class EngineError extends Error {
  override readonly name: string = "EngineError";
}
