import type { Severity } from "./set/lint";

/** What `devid rules check` finds besides what the lints do: codes of the file and of lint itself. */
export const FILE_CODES: readonly {
  readonly code: string;
  readonly severity: Severity;
  readonly doc: string;
}[] = [
  {
    code: "invalid-file",
    severity: "error",
    doc: "The file is no rule file: it is no YAML, or a field is missing, unknown or wrong.",
  },
  {
    code: "invalid-allow",
    severity: "warning",
    doc: "A comment that allows a finding, or a severity of the file, names no lint, or gives no reason.",
  },
  {
    code: "unused-allow",
    severity: "warning",
    doc: "A comment allows a finding that is not there.",
  },
  {
    code: "invalid-expression",
    severity: "error",
    doc: "An expression has a mistake in its grammar or its types.",
  },
  {
    code: "literal-secret",
    severity: "error",
    doc: "A text in the file looks like a secret: a key or a token of a known service (by the list of secretlint), a private key, or a long random text. Reports show `[redacted]` in its place.",
  },
  {
    code: "out-of-time",
    severity: "note",
    doc: "Lint came to the end of its time and had not looked at everything.",
  },
];
