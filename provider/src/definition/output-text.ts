import { mapParts } from "./value";

/** What Pulumi writes for an Output in a template literal, in JSON.stringify, and in a text of Python. */
const OUTPUT_TEXT =
  /Calling (?:\[to(?:String|JSON)\] on an \[Output<T>\]|__str__ on an Output\[T\])/;

/** What is wrong with such a text, and what to write. */
export const NO_OUTPUT_VALUE =
  "has Pulumi's message about an Output in place of the Output's value, because a template literal or a text function does not wait for an Output. Write pulumi.interpolate`...` in place of the template literal; in Python, pulumi.Output.concat or apply";

/** The paths of the texts that Pulumi wrote in place of an Output's value, at any depth. */
export function outputTexts(value: unknown): (readonly PropertyKey[])[] {
  const found: (readonly PropertyKey[])[] = [];
  mapParts(value, (part, path) => {
    if (typeof part === "string" && OUTPUT_TEXT.test(part)) found.push(path);
    return part;
  });
  return found;
}
