/** The number that a literal says, or why it says none. */
export type ReadNumber =
  | { readonly integer: bigint }
  | { readonly float: number }
  | { readonly mistake: string };

const MAX_INTEGER = 2n ** 63n - 1n;
const PREFIXED = /^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i;
const FLOAT = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;

/**
 * Reads the text of a number token: decimal, `0x`, `0o`, `0b` integers of 64
 * bits, floats with or without an exponent; underscores anywhere among digits.
 */
export function readNumber(token: string): ReadNumber {
  const text = token.replaceAll("_", "");
  const isPrefixed = PREFIXED.test(text);
  if (isPrefixed || /^[0-9]+$/.test(text)) {
    const integer = BigInt(isPrefixed ? text.toLowerCase() : text);
    return integer > MAX_INTEGER
      ? { mistake: `${token} does not fit in 64 bits` }
      : { integer };
  }
  if (!FLOAT.test(text)) return { mistake: `${token} is not a number` };
  const float = Number(text);
  return Number.isFinite(float)
    ? { float }
    : { mistake: `${token} is too large` };
}
