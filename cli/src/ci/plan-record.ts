/** The file in which a review keeps its plan, in the folder of the program. */
export const PLAN_FILE = "reviewed-plan.json";

/** Most bytes of that file, packed or not. The plan of 1,000 resources has about 3 MB. */
export const MOST_PLAN_BYTES = 64 * 1024 * 1024;

/** What a review's comment records about the plan that its run kept. */
export interface PlanRecord {
  /** `sha256:` and 64 hexadecimal digits, of the file of the plan. */
  readonly digest: string;
  /** ID of the run (GitHub) or job (GitLab) that kept the plan. */
  readonly run: string;
  /** The reviewed commit. */
  readonly commit: string;
}

const RECORD =
  /^<!-- devid-plan:(sha256:[0-9a-f]{64}):run=(\d{1,20}):commit=([0-9a-f]{40}) -->$/;

/**
 * The hidden last line of a comment. It says which run kept the plan, and which digest the
 * plan has. Every comment of a review has this line, so that no text of a rule can stand
 * in its place.
 */
export const recordLine = (record: PlanRecord | undefined): string =>
  record === undefined
    ? "<!-- devid-plan:none -->"
    : `<!-- devid-plan:${record.digest}:run=${record.run}:commit=${record.commit} -->`;

/** The record in the last line of a comment; undefined if the review kept no plan. */
export function recordIn(comment: string): PlanRecord | undefined {
  const last = comment.trimEnd().split(/\r?\n/).at(-1) ?? "";
  const [, digest, run, commit] = RECORD.exec(last) ?? [];
  return digest && run && commit ? { digest, run, commit } : undefined;
}
