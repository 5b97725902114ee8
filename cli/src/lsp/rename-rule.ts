import type { RuleFile, TextEdit } from "@devid/rules";
import { isMap, isScalar, type Scalar } from "yaml";

/**
 * The name of a rule at a place: in the rule itself, or in a test that expects its
 * decision.
 */
export interface NamedRule {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** The name of a rule at an offset of a file; undefined at any other place. */
export const ruleNameAt = (
  file: RuleFile,
  offset: number,
): NamedRule | undefined =>
  namesIn(file).find(
    (one) => one.offset <= offset && offset <= one.offset + one.length,
  );

/** The edits that give a rule another name, wherever the file names it. */
export function renameRule(
  file: RuleFile,
  name: string,
  newName: string,
): TextEdit[] {
  const isPlain = /^[A-Za-z_][\w .-]*[\w.-]$|^[A-Za-z_]$/.test(newName);
  return namesIn(file)
    .filter((one) => one.name === name)
    .map(({ offset, length, isQuoted }) => ({
      offset,
      length,
      text: isPlain && !isQuoted ? newName : JSON.stringify(newName),
    }));
}

function namesIn({
  document,
  rules,
  tests,
}: RuleFile): (NamedRule & { readonly isQuoted: boolean })[] {
  const own = rules.map((_, index) =>
    document.getIn(["rules", index, "name"], true),
  );
  const expected = tests.flatMap((_, index) => {
    const expect = document.getIn(["tests", index, "expect"], true);
    return isMap(expect) ? expect.items.map(({ value }) => value) : [];
  });
  return [...own, ...expected].flatMap((node) => {
    if (!isScalar(node) || !node.range) return [];
    const { value, range, type } = node as Scalar & {
      range: readonly number[];
    };
    const [start = 0, end = 0] = range;
    return typeof value === "string"
      ? [
          {
            name: value,
            offset: start,
            length: end - start,
            isQuoted: type !== "PLAIN",
          },
        ]
      : [];
  });
}
