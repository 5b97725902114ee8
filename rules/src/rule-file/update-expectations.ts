import { isMap, isNode, isScalar, Scalar, type Node } from "yaml";
import type { Place } from "../language/syntax/problem";
import type { RuleFile } from "./rule-file";
import { RuleFileError } from "./rule-file-error";
import type { Expectation } from "./rule-test";
import type { RuleTestReport } from "./run-rule-tests";
import { applyEdits, type TextEdit } from "../language/syntax/text-edit";
import { spellScalar } from "./expression-scalar";

/** An expectation that differs from what the rules decide. */
export interface ExpectationChange {
  /** Name of the test. */
  readonly test: string;
  readonly from: Expectation;
  /** Names a rule if `from` does, unless no rule matches. */
  readonly to: Expectation;
  /** The rule that decides; absent if none matches. */
  readonly decidedBy?: string;
  /** Place of the expectation in the file, from 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Behind its last character. */
  readonly end: Place;
}

/**
 * The text of a rule file in which every test expects what the rules decide, and the
 * changes. All other text stays byte for byte. `report` has the results of the file's
 * tests.
 * @throws RuleFileError for an expectation that others share by a YAML anchor, or that
 * is a block of text
 */
export function updateExpectations(
  file: RuleFile,
  report: RuleTestReport,
): { readonly text: string; readonly changes: readonly ExpectationChange[] } {
  const changes: ExpectationChange[] = [];
  const edits: TextEdit[] = [];
  report.tests.forEach(
    ({ name, passed, expected, got, line, column, end }, index) => {
      if (passed) return;
      const to = expected.rule === undefined ? { result: got.result } : got;
      const node = file.document.getIn(["tests", index, "expect"], true);
      const edit = expectationEdits(node, to);
      if (!edit)
        throw new RuleFileError(file.path, [
          {
            line,
            column,
            end,
            message: `what the test "${name}" expects cannot be changed where it stands; change it by hand`,
          },
        ]);
      edits.push(...edit);
      changes.push({
        test: name,
        from: expected,
        to,
        decidedBy: got.rule,
        line,
        column,
        end,
      });
    },
  );
  return { text: applyEdits(file.text, edits), changes };
}

/** The edits that change an expectation; `undefined` if no safe edit exists. */
function expectationEdits(
  node: unknown,
  { result, rule }: Expectation,
): TextEdit[] | undefined {
  if (isScalar(node))
    return isFixed(node) ? undefined : [replacement(node, node, result)];
  if (!isMap(node)) return undefined;
  const { key, value } = node.items[0] ?? {};
  if (!isScalar(key) || !isNode(value)) return undefined;
  if ([node, key, value].some(isFixed)) return undefined;
  if (rule !== undefined)
    return [replacement(key, key, result), replacement(value, value, rule)];
  return [
    node.flow
      ? replacement(node, node, result, key)
      : replacement(key, value, result),
  ];
}

/**
 * Whether a node cannot be replaced: others refer to it, or it is a block that
 * ends in a line break.
 */
const isFixed = (node: Node) =>
  ("anchor" in node && Boolean(node.anchor)) ||
  (isScalar(node) && (node.type?.startsWith("BLOCK") ?? false));

/** Replaces nodes by a text, quoted like the first node, or like `like`. */
function replacement(
  first: Node,
  last: Node,
  text: string,
  like: Node = first,
): TextEdit {
  const scalar = isScalar(like) ? like : new Scalar(text);
  const offset = first.range?.[0] ?? 0;
  return {
    offset,
    length: (last.range?.[1] ?? 0) - offset,
    // A text that needs no quotes in a flow needs no quotes in a block.
    text: spellScalar(text, scalar, true) ?? JSON.stringify(text),
  };
}
