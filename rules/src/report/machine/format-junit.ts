import { wholeMessage, type Case, type Suite } from "./problem";

/** Formats suites as JUnit XML. Problems that are no error fail a case, too: JUnit has no warnings. */
export function formatJunit(suites: readonly Suite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const lines = suites.flatMap(({ name, file, cases: own }) => [
    `  <testsuite${attributes({ name, ...countsOf(own) })}>`,
    ...own.map((one) => testcase(one, file)),
    "  </testsuite>",
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "devid", ...countsOf(cases) })}>`,
    ...lines,
    "</testsuites>",
    "",
  ].join("\n");
}

const countsOf = (cases: readonly Case[]) => ({
  tests: cases.length,
  failures: cases.filter(({ problem }) => problem).length,
});

function testcase({ name, problem }: Case, file: string): string {
  const place = { name, classname: file, file };
  if (!problem) return `    <testcase${attributes(place)}/>`;
  const { code, line, column, fix } = problem;
  const message = wholeMessage(problem);
  const text = [
    `${file}:${line}:${column}`,
    message,
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
  ].join("\n");
  return [
    `    <testcase${attributes({ ...place, line })}>`,
    `      <failure${attributes({ type: code, message })}>${escaped(text)}</failure>`,
    "    </testcase>",
  ].join("\n");
}

const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text in XML. Characters that XML does not allow become U+FFFD. */
const escaped = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\0-\b\v\f\u000e-\u001f\ufffe\uffff\ud800-\udfff]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
