import { isSpace } from "./characters";

/** Characters whose simple upper case, which Go uses, is one character where JavaScript gives several. */
const SIMPLE_UPPER: ReadonlyMap<string, string> = new Map(
  [
    ...[0x1f80, 0x1f90, 0x1fa0].flatMap((start) =>
      Array.from({ length: 8 }, (_, i) => [start + i, start + i + 8] as const),
    ),
    [0x1fb3, 0x1fbc] as const,
    [0x1fc3, 0x1fcc] as const,
    [0x1ff3, 0x1ffc] as const,
  ].map(([low, high]) => [
    String.fromCodePoint(low),
    String.fromCodePoint(high),
  ]),
);
const ASCII = /^[\0-\x7f]*$/;
const SURROGATE = /[\ud800-\udbff]/;

/** The length of a text in characters (code points). */
export function lengthOf(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = 0;
  for (let i = 0; i < text.length; i++, length++)
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  return length;
}

/** A text in lower case. As in Go, each character becomes exactly one. */
export function lower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return mapEach(text, (character) =>
    character === "\u0130" ? "i" : character.toLowerCase(),
  );
}

/** A text in upper case. As in Go, each character becomes exactly one. */
export function upper(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  return mapEach(
    text,
    (character) => SIMPLE_UPPER.get(character) ?? character.toUpperCase(),
  );
}

function mapEach(text: string, map: (character: string) => string): string {
  let result = "";
  for (const character of text) {
    const mapped = map(character);
    result += lengthOf(mapped) === 1 ? mapped : character;
  }
  return result;
}

/** A text without the characters of `cutset` at both ends. Default: white space. */
export function trim(text: string, cutset?: string): string {
  const characters = [...text];
  const set = cutset === undefined ? undefined : new Set(cutset);
  const isCut = (character: string | undefined) =>
    character !== undefined && (set ? set.has(character) : isSpace(character));
  let start = 0;
  let end = characters.length;
  while (start < end && isCut(characters[start])) start++;
  while (end > start && isCut(characters[end - 1])) end--;
  return characters.slice(start, end).join("");
}

/** Whether a text comes before another text in the order of code points. UTF-8 has the same order. */
export function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const isPairX = x >= 0xd800 && x <= 0xdfff;
    const isPairY = y >= 0xd800 && y <= 0xdfff;
    // A surrogate pair is a code point beyond all single units.
    return isPairX === isPairY ? x < y : isPairY;
  }
  return a.length < b.length;
}
