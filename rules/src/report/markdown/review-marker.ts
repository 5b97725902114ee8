import { createHash } from "node:crypto";
import type { Review } from "../../review/review";

/** In characters, of the file, the environment and the stack. */
const LONGEST_PART = 400;

const PREFIXES = {
  change: "devid-review",
  recovery: "devid-recovery",
} as const;

/**
 * The first line of a comment, which nobody sees: whoever writes the next one
 * finds by it the comment to replace. Each rule file has its own, for each
 * environment and stack that it is reviewed for, and each purpose.
 *
 * @example
 * reviewMarker({ file: "rules.yaml", scope: { stack: "shop/live" }, purpose: "change" });
 * // <!-- devid-review:rules.yaml:stack=shop/live -->
 */
export function reviewMarker({
  file,
  scope: { environment, stack },
  purpose,
}: Pick<Review, "file" | "scope" | "purpose">): string {
  const parts = [
    PREFIXES[purpose],
    encoded(file),
    ...(environment === undefined
      ? []
      : [`environment=${encoded(environment)}`]),
    ...(stack === undefined ? [] : [`stack=${encoded(stack)}`]),
  ];
  return `<!-- ${parts.join(":")} -->`;
}

/** A text that can end neither the comment nor a part of the marker, each text in its own way; a long one by its digest. */
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
