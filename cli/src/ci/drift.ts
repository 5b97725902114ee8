import {
  formatDrift,
  formatFailedDrift,
  type Drift,
  type StackDeployment,
} from "@devid/clone";
import type { CodeHost } from "./code-host";
import { cutToFit, endOf, ownTexts } from "./comments";
import { unlessGone } from "./host-calls";
import { markerOf, type Subject } from "./subject";
import { failureOf, withoutKeys, type Failure } from "../output/without-keys";
import { inForceNow } from "../sources/live-rules";
import { stateOf } from "../sources/pulumi";
import { isFile } from "../sources/rule-files";
import { driftOf, stateIn } from "../sources/stack-drift";
import { writeInForce } from "./in-force-file";

/** Most characters of the title of an issue that GitLab takes; GitHub takes one more. */
const LONGEST_TITLE = 255;

/** What differs, or why that is not known. */
export type FoundDrift = Drift | Failure;

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
  const end = endOf(host, host.commit);
  const [issue] = await ownTexts(host, (page) => host.issues(page), marker);
  if (found === undefined) {
    if (!issue) return "Nothing differs.";
    await host.closeIssue(issue.id, `Nothing differs any more. ${end}`);
    return "The issue was closed.";
  }
  const text = `${marker}\n${driftReport(subject, found).trimEnd()}`;
  const body = `${cutToFit(text, "")}\n\n${end}\n`;
  if (issue && (await unlessGone(host.editIssue(issue.id, body))))
    return "The issue was rewritten.";
  const title = [...`Drift of ${subject.stack} (${subject.file})`];
  await host.openIssue(title.slice(0, LONGEST_TITLE).join(""), body);
  return "An issue was opened.";
}

/** The IDs of objects that no program is to declare, in the folder of the program. */
const ALLOWED_FILE = "drift-allowed.txt";

/** Compares a stack of the program in this folder with its workspace. */
export async function foundDrift(
  stack: string,
  flags: {
    readonly otherStack?: readonly string[];
    readonly region?: string;
    readonly environment?: string;
  },
): Promise<FoundDrift> {
  try {
    const otherStates: StackDeployment[] = [];
    for (const name of flags.otherStack ?? [])
      otherStates.push(stateIn(await stateOf(name), name));
    // A program in YAML reads this file; drift does not depend on its digest.
    writeInForce((await inForceNow(flags)).digest);
    const found = await driftOf(".", {
      ...{ stack, otherStates },
      ...(isFile(ALLOWED_FILE) && { allowed: ALLOWED_FILE }),
    });
    return withoutKeys(found);
  } catch (error) {
    return failureOf(error);
  }
}
