import { mapParts } from "./value";

/** What Pulumi writes for an Output in a template literal, in JSON.stringify, and in a text of Python. */
const OUTPUT_TEXT =
  /calling (?:\[to(?:string|json)\] on an \[output<t>\]|__str__ on an output\[t\])/;

/**
 * Whether a text has it, in any case and also percent-encoded, once or twice, as the
 * address of a `URL` has it. Letters are never encoded.
 */
const hasOutputText = (text: string): boolean =>
  /calling/i.test(text) &&
  [text, withoutPercents(text), withoutPercents(withoutPercents(text))].some(
    (one) => OUTPUT_TEXT.test(one.toLowerCase()),
  );

/** Characters of ASCII in place of their percent-encodings; a blank of a query may be a plus. */
const withoutPercents = (text: string) =>
  text
    .replaceAll("+", " ")
    .replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );

/** What is wrong with such a text, and what to write. */
export const NO_OUTPUT_VALUE =
  "has Pulumi's message about an Output in place of the Output's value, because a template literal or a text function does not wait for an Output. Write pulumi.interpolate`...` in place of the template literal; in Python, pulumi.Output.concat or apply";

/** The paths of the texts that Pulumi wrote in place of an Output's value, at any depth. */
export function outputTexts(value: unknown): (readonly PropertyKey[])[] {
  const found: (readonly PropertyKey[])[] = [];
  mapParts(value, (part, path) => {
    if (typeof part === "string" && hasOutputText(part)) found.push(path);
    return part;
  });
  return found;
}
