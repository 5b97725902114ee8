import { codeSpan } from "../../report/code-span";
import { shortened } from "../shortened";

/** In characters. */
const LONGEST_CODE = 400;

/** A text as inline code of Markdown, a long one cut. */
export function code(text: string): string {
  return codeSpan(shortened(text, LONGEST_CODE));
}
