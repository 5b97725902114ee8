import type { Severity } from "./set/lint";

/**
 * Codes of `devid rules check` that are not lints: mistakes of the file, and checks
 * that lint did not make.
 */
export const FILE_CODES: readonly {
  readonly code: string;
  readonly severity: Severity;
  readonly doc: string;
}[] = [
  {
    code: "invalid-file",
    severity: "error",
    doc: "The file is not a rule file: it is not YAML, or a field is missing, unknown or wrong.",
  },
  {
    code: "invalid-allow",
    severity: "warning",
    doc: "A `devid-allow` comment or a severity of the file names an unknown lint, or the comment has no reason.",
  },
  {
    code: "unused-allow",
    severity: "warning",
    doc: "A `devid-allow` comment allows a finding that does not occur.",
  },
  {
    code: "invalid-expression",
    severity: "error",
    doc: "An expression has a mistake in its grammar or its types.",
  },
  {
    code: "out-of-time",
    severity: "note",
    doc: "Lint ended after 10 s of processor time, and names what it did not look for. What it found is right. On a slower machine it ends earlier, so two runs on very large sets may find different things.",
  },
  {
    code: "check-failed",
    severity: "note",
    doc: "A check failed by a mistake of its own, so what it would have found in this rule is not reported. All other checks were made.",
  },
];
