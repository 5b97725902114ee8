import { createInterface } from "node:readline";
import { evaluateLine } from "@devid/rules";
import { Command } from "commander";
import { jsonOption } from "../../flags/shared-options";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";

/** `devid rules eval`: evaluates NDJSON line by line; exits with 1 if a line has an error. */
export function rulesEval(): Command {
  return new Command("eval")
    .option("--trace", "also say why: each rule, and each term in it")
    .addOption(jsonOption("print errors as JSON, too"))
    .action(async ({ trace }: { readonly trace?: true }) => {
      const lines = createInterface({ input: process.stdin });
      // The reader of the output, such as `head`, may stop reading.
      process.stdout.once("error", () => lines.close());
      for await (const line of lines)
        if (line.trim() !== "") {
          const answer = calculate(() => evaluateLine(line, { trace }));
          if ("error" in answer) process.exitCode = EXIT.error;
          process.stdout.write(`${JSON.stringify(answer)}\n`);
        }
    });
}
