import { visibleText } from "@devid/rules";

/**
 * Formats rows of a name and a value, one line each, for a person. Nobody who chose a
 * value can control the terminal with it.
 * @param width columns of the names
 */
export const rowsText = (
  rows: readonly (readonly [name: string, value: string])[],
  width: number,
): string =>
  rows
    .map(([name, value]) => `${name.padEnd(width)} ${visibleText(value)}\n`)
    .join("");
