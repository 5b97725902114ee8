import {
  describeLint,
  explainLint,
  FILE_CODES,
  LINTS,
  lintToWrite,
} from "@devid/rules";
import { UsageError } from "../../errors";
import { defineCommand } from "../../flags/define-command";
import { jsonFlag } from "../../flags/shared-flags";
import { jsonReport } from "../../output/write-output";

/** `devid rules explain`: says what a lint finds, why that matters, and how it is corrected. */
export const rulesExplain = defineCommand({
  arguments: [["<code>", "code of a lint, as findings have it"]],
  flags: { json: jsonFlag() },
  run: (code, { json }) => {
    const text = explainLint(code);
    if (text === undefined)
      throw new UsageError(`There is no lint ${code}: ${lintToWrite(code)}.`);
    const lint = LINTS.find((one) => one.code === code);
    const explained = lint
      ? { ...describeLint(lint), example: lint.example }
      : FILE_CODES.find((one) => one.code === code);
    process.stdout.write(json ? jsonReport({ ...explained }) : text);
  },
});
