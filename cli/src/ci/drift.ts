import { formatDrift, formatFailedDrift, type Drift } from "@devid/clone";
import type { CodeHost } from "./code-host";
import { cutToFit, ownIssue } from "./comments";
import { markerOf, type Subject } from "./subject";

/** What differs, or why that is not known. */
export type FoundDrift = Drift | { readonly failure: string };

/** The report of the issue, in Markdown. */
export const driftReport = (subject: Subject, found: FoundDrift): string =>
  "failure" in found
    ? formatFailedDrift(found.failure, subject.stack)
    : formatDrift(found, "markdown");

/**
 * Keeps one issue about the drift of a stack: opens it, rewrites it, and closes it when
 * nothing differs any more. Only an issue of the same author is touched.
 * @param found undefined if nothing differs
 * @returns what was done, for the log
 */
export async function keepDriftIssue(
  host: CodeHost,
  subject: Subject,
  found: FoundDrift | undefined,
): Promise<string> {
  const marker = markerOf("devid-drift", subject);
  const commit = `Commit \`${host.commit}\`: [log](${host.log})`;
  const issue = await ownIssue(host, marker);
  if (found === undefined) {
    if (!issue) return "Nothing differs.";
    await host.closeIssue(issue.id, `Nothing differs any more. ${commit}`);
    return "The issue was closed.";
  }
  const text = `${marker}\n${driftReport(subject, found).trimEnd()}`;
  const body = `${cutToFit(text, "")}\n\n${commit}\n`;
  if (issue) await host.editIssue(issue.id, body);
  else
    await host.openIssue(`Drift of ${subject.stack} (${subject.file})`, body);
  return issue ? "The issue was rewritten." : "An issue was opened.";
}
