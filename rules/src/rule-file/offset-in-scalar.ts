import type { Scalar } from "yaml";

/**
 * Finds the offset in a file's text of a character of a scalar, both in UTF-16
 * units; `undefined` where the file spells the scalar in another way than it
 * reads, folded or escaped.
 */
export function offsetInScalar(
  text: string,
  { range, value, type }: Scalar,
  offset: number,
): number | undefined {
  const [start = 0, end = 0] = range ?? [];
  const source = text.slice(start, end);
  if (source === String(value)) return start + offset;
  if (source.slice(1, -1) === value) return start + 1 + offset;
  if (type !== "BLOCK_LITERAL") return undefined;

  // Behind its header, a block has the lines of the value, each with an indent.
  const before = String(value).slice(0, offset).split("\n");
  const line = before.length - 1;
  const spelt = source.split("\n").slice(1);
  const read = String(value).split("\n")[line] ?? "";
  const indent = (spelt[line]?.replace(/\r$/, "").length ?? 0) - read.length;
  const lineStart = spelt
    .slice(0, line)
    .reduce((at, { length }) => at + length + 1, source.indexOf("\n") + 1);
  return start + lineStart + indent + (before[line]?.length ?? 0);
}
