import { maskUrls } from "../mask-urls";

/**
 * Base of every error that devid throws on purpose. `name` is a literal, so a
 * consumer can tell errors apart even when two copies of the package are loaded.
 * The message has no user-info and no query of a URL, whatever it was made from.
 */
export abstract class DevidError extends Error {
  abstract override readonly name: string;

  constructor(message: string, options?: ErrorOptions) {
    super(maskUrls(message), options);
  }
}
