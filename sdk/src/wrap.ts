const WIDTH = 80;

/**
 * A text in lines of at most `width` columns (80), broken at blanks; a longer
 * word stays whole. The first line begins with `first`, each other with
 * `indent`: as many blanks, unless it is given.
 */
export function wrap(
  first: string,
  text: string,
  indent = " ".repeat([...first].length),
  width = WIDTH,
): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && [...line].length + 1 + [...word].length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join("\n");
}
