// @ts-expect-error: a script without types.
import * as script from "../../tools/packages/formatted.mjs";

/** A file's text in the layout of Prettier, as `npm run format` writes it. */
export const { formatted } = script as {
  formatted: (path: string, text: string) => Promise<string>;
};
