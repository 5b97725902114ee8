/** The lines of a body or a file, as they arrive. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
