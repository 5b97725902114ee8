import { wrap } from "../../wrap";
import { visibleText } from "../diff-report/visible-text";
import type { Review } from "./review";

/** A review that could not be made, and why. */
export interface FailedReview extends Pick<
  Review,
  "file" | "scope" | "purpose" | "commit"
> {
  readonly message: string;
}

/** The report of a review that could not be made. It ends in a line end. */
export function formatFailedReview(
  failed: FailedReview,
  format: "text" | "markdown" | "html" | "json",
): string {
  if (format === "json") return `${JSON.stringify(failed, undefined, 2)}\n`;
  const { file, message } = failed;
  return `${wrap("", visibleText(`The review of ${file} failed: ${message}`), "  ")}\n`;
}
