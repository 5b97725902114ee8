import { testBlock } from "../../rule-tests";
import { count } from "../../replay/report/event-share";
import { isAbsent, type Review } from "../review";
import { code } from "./code";
import { codeFence } from "./code-fence";
import { foldedSection, type Section } from "./fit-sections";

/** What became of the file's tests: those that failed, and folded the others and the rules that none reaches. */
export function testsSections({ file, tests }: Review): Section[] {
  if (isAbsent(tests))
    return [
      {
        title: `Tests were not run: ${code(tests.absent)}`,
        items: [],
        noun: "",
      },
    ];
  if (tests.tests.length === 0) return [];
  const failed = tests.tests.filter(({ passed }) => !passed);
  const passed = tests.tests.filter(({ passed }) => passed);
  const { notReached } = tests.coverage;
  const sections: Section[] = [];
  if (failed.length > 0)
    sections.push({
      title: "#### Failed tests",
      items: failed.map((test) => codeFence(testBlock(test, file))),
      noun: "failed tests",
      isSpaced: true,
    });
  if (passed.length + notReached.length > 0)
    sections.push(
      foldedSection({
        title: `${count(passed.length, "test")} passed, ${count(notReached.length, "rule")} reached by none`,
        items: [
          ...notReached.map((rule) => `- no test reaches ${code(rule)}`),
          ...passed.map(({ name }) => `- ✓ ${code(name)}`),
        ],
        noun: "lines",
      }),
    );
  return sections;
}
