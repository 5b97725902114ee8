/** Base of every error that this package throws on purpose. */
export abstract class ServiceError extends Error {
  abstract override readonly name: string;
}
