/**
 * Base of every error that devid throws on purpose. `name` is a literal, so a
 * consumer can tell errors apart even when two copies of the package are loaded.
 */
export abstract class DevidError extends Error {
  abstract override readonly name: string;
}
