/** Colours and emphasis, which our own reports use. */
// oxlint-disable-next-line no-control-regex
const STYLE = /\u001b\[(?:[0-4]|2[2-4]|3\d|9\d)m/;

/**
 * Characters that change other text on a terminal: control characters except line ends
 * and tabs, line separators, and characters that change the direction of text.
 */
const HARMFUL =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v\f\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/;

const UNSAFE = new RegExp(`(${STYLE.source})|${HARMFUL.source}`, "g");

/**
 * Texts that a CI runner reads as a command: `::` at the beginning of a line, also
 * after any blanks, and `##[` anywhere.
 */
const COMMAND = /^([^\S\n]*):(?=:)|#(?=#(?:vso|teamcity)?\[)/gm;

/**
 * Makes a text harmless for a terminal and the log of a CI job. Harmful characters
 * become escapes, such as `\u202e`, which JSON reads as the same character. If
 * `hasStyle` is false, the report has no colours, and codes for colours are escaped,
 * too.
 */
export function harmlessText(text: string, hasStyle = true): string {
  return text
    .replace(UNSAFE, (found, style?: string) =>
      style !== undefined && hasStyle
        ? style
        : escaped(found[0] ?? "") + found.slice(1),
    )
    .replace(
      COMMAND,
      (found, blanks = "") => (blanks as string) + escaped(found.at(-1) ?? ""),
    );
}

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const RAW = Symbol("raw");

/** The write function of a stream. That of a guarded stream carries the guarded values. */
type Write = ((chunk: string, ...rest: readonly unknown[]) => boolean) & {
  [RAW]?: Write;
};

/**
 * Lets everything that is written to standard output and standard error pass
 * through `harmlessText`, whoever writes it.
 */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if ((stream.write as Write)[RAW]) continue;
    const raw = stream.write.bind(stream) as Write;
    const hasStyle = stream.isTTY || process.env.FORCE_COLOR !== undefined;
    const guarded: Write = (chunk: unknown, ...rest) =>
      raw(
        // Bytes are data, for example of an export, and are not escaped.
        typeof chunk === "string"
          ? harmlessText(chunk, hasStyle)
          : (chunk as string),
        ...rest,
      );
    guarded[RAW] = raw;
    stream.write = guarded;
  }
}

/**
 * A stream for output that moves the cursor, such as a progress bar or a question. It
 * must not get text of the service or of a file.
 */
export function cursorStream(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const raw = (stream.write as Write)[RAW];
  if (!raw) return stream;
  return new Proxy(stream, {
    get(target, name) {
      if (name === "write") return raw;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function"
        ? (value.bind(target) as unknown)
        : value;
    },
  });
}
