import { assertNever } from "../assert-never";
import { lower, trim, upper } from "../language/eval/text";
import type { Change } from "./subject";

/** A text after `lower`, `upper` or `trim`. */
export function applyChange({ name, cutset }: Change, text: string): string {
  switch (name) {
    case "lower":
      return lower(text);
    case "upper":
      return upper(text);
    case "trim":
      return trim(text, cutset);
    default:
      return assertNever(name);
  }
}
