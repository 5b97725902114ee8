import { visibleText } from "../../diff-report/visible-text";

/**
 * The first line of a review's comment, which nobody sees: whoever writes the
 * next one finds by it the comment to replace. Each rule file has its own.
 */
export function reviewMarker(path: string): string {
  // Encoded, a path cannot end the comment.
  const key = encodeURIComponent(visibleText(path)).replaceAll("%2F", "/");
  return `<!-- devid-review:${key} -->`;
}
