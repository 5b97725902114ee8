import { fstatSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { evaluateLine } from "@devid/rules";
import { defineCommand, flag } from "../../flags/define-command";
import { jsonFlag } from "../../flags/shared-flags";
import { fileError } from "../../errors";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";
import { STDIN, withoutMark } from "../../sources/rule-files";

/** `devid rules eval`: evaluates NDJSON line by line; exits with 1 if a line has an error. */
export const rulesEval = defineCommand({
  flags: {
    trace: flag("also say why: each rule, and each term in it"),
    json: jsonFlag("print errors as JSON, too"),
  },
  run: async ({ trace }) => {
    const lines = createInterface({ input: process.stdin });
    // The reader of the output, such as `head`, may stop reading.
    process.stdout.once("error", () => lines.close());
    try {
      // Node reads a folder as an empty stream.
      if (fstatSync(0).isDirectory()) readFileSync(0);
      for await (const line of lines)
        if (line.trim() !== "") {
          const answer = calculate(() =>
            evaluateLine(withoutMark(line), { trace }),
          );
          if ("error" in answer) process.exitCode = EXIT.error;
          process.stdout.write(`${JSON.stringify(answer)}\n`);
        }
    } catch (error) {
      const { syscall } = error as NodeJS.ErrnoException;
      throw syscall === "read" ? fileError(STDIN, "read", error) : error;
    }
  },
});
