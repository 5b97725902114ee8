import { identifiedFindings, LINTS, type RuleFileFinding } from "@devid/rules";
import { ruleChunks, type RuleChunk } from "./rule-chunks";

/** Lints that look at one rule alone; the others need the whole file. */
const OF_ONE_RULE: ReadonlySet<string> = new Set([
  "invalid-expression",
  "invalid-file",
  ...LINTS.filter(({ of, code }) => of === "rule" && code !== "may-fail").map(
    ({ code }) => code,
  ),
]);

const HEAD = "rules:\n";

/**
 * The findings of a file while it is edited. After an edit, each changed rule is
 * checked at once, by itself. All other rules keep their findings until the next whole
 * check.
 */
export class CheckedDocument {
  text = "";
  #chunks: readonly RuleChunk[] = [];
  /** Findings by the text of their rule, with places from its start. */
  #known = new Map<string, readonly RuleFileFinding[]>();
  /** Findings outside of rules, from the last whole check. */
  #outside: readonly RuleFileFinding[] = [];
  #isChecked = false;

  /** Takes a new text. @returns its findings as far as they are known */
  update(text: string): readonly RuleFileFinding[] {
    this.text = text;
    this.#chunks = ruleChunks(text);
    return this.findings;
  }

  /** Takes the findings of a whole check of the present text. */
  checked(findings: readonly RuleFileFinding[]): void {
    this.#isChecked = true;
    const known = new Map<string, RuleFileFinding[]>(
      this.#chunks.map(({ text }) => [text, []]),
    );
    const outside: RuleFileFinding[] = [];
    for (const finding of findings) {
      const chunk = this.#chunks.findLast(({ line }) => line < finding.line);
      const isInside =
        chunk && finding.line <= chunk.line + chunk.text.split("\n").length;
      if (!isInside) outside.push(finding);
      else
        known
          .get(chunk.text)
          ?.push(moved(finding, { line: -chunk.line, offset: -chunk.offset }));
    }
    this.#known = known;
    this.#outside = outside;
  }

  get findings(): readonly RuleFileFinding[] {
    if (!this.#isChecked) return [];
    const inside = this.#chunks.flatMap(({ text, line, offset }) => {
      let known = this.#known.get(text);
      if (!known) {
        known = checkAlone(text);
        this.#known.set(text, known);
      }
      return known.map((finding) => moved(finding, { line, offset }));
    });
    return [...this.#outside, ...inside];
  }
}

/** The findings of a rule by itself, with places from its start. */
function checkAlone(text: string): readonly RuleFileFinding[] {
  // The rest of the file is not checked here.
  const isShared = /(?:^|\s)(?:[*&]\w|<<:)/.test(text);
  return identifiedFindings(HEAD + text, "rule")
    .map(({ finding }) => finding)
    .filter(
      ({ code }) =>
        OF_ONE_RULE.has(code) && !(isShared && code === "invalid-file"),
    )
    .map((finding) => moved(finding, { line: -1, offset: -HEAD.length }));
}

/** The finding, moved by some lines and UTF-16 units. */
function moved(
  finding: RuleFileFinding,
  by: { readonly line: number; readonly offset: number },
): RuleFileFinding {
  const { line, end, edits } = finding;
  return {
    ...finding,
    line: line + by.line,
    end: { ...end, line: end.line + by.line },
    ...(edits && {
      edits: edits.map((edit) => ({
        ...edit,
        offset: edit.offset + by.offset,
      })),
    }),
  };
}
