import { parseDocument, Scalar } from "yaml";

/**
 * How a text is written on one line of YAML without escapes: as the scalar was
 * that it replaces, else bare, else in double quotes; `undefined` where no way
 * reads as the text.
 */
export function spellScalar(
  value: string,
  { type }: Scalar,
  inFlow: boolean,
): string | undefined {
  const ways = [value, `"${value}"`];
  if (type === Scalar.QUOTE_SINGLE) ways.unshift(`'${value}'`);
  if (type === Scalar.QUOTE_DOUBLE) ways.reverse();
  // JSON is such a flow, and has double quotes only.
  if (type === Scalar.QUOTE_DOUBLE && inFlow) ways.pop();
  return ways.find((way) => readsAs(value, inFlow ? `[${way}]` : `- ${way}`));
}

/** Whether the first item of a YAML list reads as a text. */
export function readsAs(value: string, list: string): boolean {
  const document = parseDocument(list);
  return document.errors.length === 0 && document.getIn([0]) === value;
}
