import { isUtf8 } from "node:buffer";

/** A byte that is not UTF-8 becomes U+DC80 to U+DCFF, which UTF-8 never gives. */
const UNDECODED = /[\udc80-\udcff]+/u;

const UTF8_SIZES = [1, 2, 3, 4];

/**
 * The text of a rule file's bytes. A byte that is not UTF-8 becomes a character that no
 * UTF-8 text has, so that `openRuleFile` can show its place. A byte order mark stays.
 */
export function decodeRuleFile(bytes: Uint8Array): string {
  const whole = Buffer.from(bytes);
  if (isUtf8(whole)) return whole.toString("utf8");
  let text = "";
  for (let at = 0; at < whole.length;) {
    const size = UTF8_SIZES.find(
      (one) => at + one <= whole.length && isUtf8(whole.subarray(at, at + one)),
    );
    text += size
      ? whole.toString("utf8", at, at + size)
      : String.fromCharCode(0xdc00 + (whole[at] ?? 0));
    at += size ?? 1;
  }
  return text;
}

/**
 * The first bytes of a file that are not UTF-8: a message, and their offset in the
 * text. Undefined if all bytes are UTF-8.
 */
export function encodingMistake(text: string):
  | {
      readonly offset: number;
      readonly length: number;
      readonly message: string;
    }
  | undefined {
  const found = UNDECODED.exec(text);
  if (!found) return undefined;
  const bytes = [...found[0]].map((one) =>
    (one.charCodeAt(0) - 0xdc00).toString(16).padStart(2, "0"),
  );
  const isUtf16 =
    found.index === 0 && ["ff fe", "fe ff"].includes(bytes.join(" "));
  const named = `${bytes.length === 1 ? "the byte" : "the bytes"} ${bytes.slice(0, 8).join(" ")}${bytes.length > 8 ? " ..." : ""}`;
  return {
    offset: found.index,
    length: found[0].length,
    message: `${named} ${bytes.length === 1 ? "is" : "are"} not UTF-8${isUtf16 ? " but the beginning of UTF-16" : ""}; save the file as UTF-8`,
  };
}

/**
 * A text for messages: without a byte order mark, and with `\ufffd` for bytes that are
 * not UTF-8.
 */
export function showableText(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(new RegExp(UNDECODED, "gu"), (bytes) =>
      "\ufffd".repeat(bytes.length),
    );
}
