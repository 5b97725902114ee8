import { lengthOf } from "../../language/text/text";
import { LINTS } from "../../lint/lints";
import { problemsOf, wholeMessage, type Problem, type Suite } from "./problem";

/** Formats problems as SARIF 2.1.0, which code scanning services read. */
export function formatSarif(suites: readonly Suite[]): string {
  const problems = problemsOf(suites);
  // Several suites may be of one file, and only one of them has its text.
  const texts = new Map(
    suites.flatMap(({ file, text }) =>
      text === undefined ? [] : [[file, text] as const],
    ),
  );
  const codes = [...new Set(problems.map(({ code }) => code))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "devid", rules: codes.map(ruleOf) } },
        columnKind: "unicodeCodePoints",
        results: problems.map((problem) =>
          resultOf(problem, codes, texts.get(problem.file)),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf(id: string) {
  const lint = LINTS.find(({ code }) => code === id);
  if (!lint) return { id };
  const { doc, detail } = lint;
  return {
    id,
    shortDescription: { text: doc },
    ...(detail !== undefined && { fullDescription: { text: detail } }),
    help: { text: `devid rules explain ${id}` },
  };
}

function resultOf(
  problem: Problem,
  codes: readonly string[],
  text: string | undefined,
) {
  const { code, severity, file, line, column, end, fix, edits } = problem;
  const artifactLocation = { uri: uriOf(file) };
  const region = {
    ...{ startLine: line, startColumn: column },
    ...{ endLine: end.line, endColumn: end.column },
  };
  const hint = fix === undefined ? "" : ` Fix: ${fix}.`;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: wholeMessage(problem) + hint },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    ...(edits &&
      text !== undefined && {
        fixes: [
          {
            ...(fix !== undefined && { description: { text: fix } }),
            artifactChanges: [
              {
                artifactLocation,
                replacements: edits.map((edit) => ({
                  deletedRegion: {
                    charOffset: lengthOf(text.slice(0, edit.offset)),
                    charLength: lengthOf(
                      text.slice(edit.offset, edit.offset + edit.length),
                    ),
                  },
                  insertedContent: { text: edit.text },
                })),
              },
            ],
          },
        ],
      }),
  };
}

const uriOf = (path: string) =>
  path.split(/[\\/]/).map(encodeURIComponent).join("/");
