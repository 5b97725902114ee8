import { harmlessText } from "@devid/sdk/errors";

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
