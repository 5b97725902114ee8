/** Base of every error that this package throws on purpose. */
export abstract class ServiceError extends Error {
  abstract override readonly name: string;
}

/** The service could not start. The message says what to do about it. */
export class StartError extends ServiceError {
  readonly name = "StartError";
}
