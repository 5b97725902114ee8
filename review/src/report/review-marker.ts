import { createHash } from "node:crypto";
import type { Review } from "../review/review";

/** Characters of the file, the environment and the stack. */
const LONGEST_PART = 400;

const PREFIXES = {
  change: "devid-review",
  recovery: "devid-recovery",
} as const;

/**
 * Makes the hidden first line of a comment, by which the next run finds the
 * comment to replace. Each combination of rule file, environment, stack and
 * purpose has a marker of its own.
 *
 * @example
 * reviewMarker({ file: "rules.yaml", scope: { stack: "shop/live" }, purpose: "change" });
 * // <!-- devid-review:rules.yaml:stack=shop/live -->
 */
export function reviewMarker({
  purpose,
  ...subject
}: Pick<Review, "file" | "scope" | "purpose">): string {
  return scopeMarker(PREFIXES[purpose], subject);
}

/** Makes such a line for a comment of another kind. */
export function scopeMarker(
  kind: string,
  { file, scope: { environment, stack } }: Pick<Review, "file" | "scope">,
): string {
  const parts = [
    kind,
    encoded(file),
    ...(environment === undefined
      ? []
      : [`environment=${encoded(environment)}`]),
    ...(stack === undefined ? [] : [`stack=${encoded(stack)}`]),
  ];
  return `<!-- ${parts.join(":")} -->`;
}

/**
 * Encodes a text so that it can end neither the comment nor a part of the
 * marker. Different texts stay different; a long text is replaced by its
 * digest.
 */
function encoded(text: string): string {
  const whole = [...text]
    .map((character) => {
      if (character === "/") return character;
      return /\p{Cs}/u.test(character)
        ? `%u${character.charCodeAt(0).toString(16)}`
        : encodeURIComponent(character);
    })
    .join("");
  if (whole.length <= LONGEST_PART) return whole;
  const digest = createHash("sha256").update(whole).digest("hex");
  return `${whole.slice(0, LONGEST_PART - digest.length)}%h${digest}`;
}
