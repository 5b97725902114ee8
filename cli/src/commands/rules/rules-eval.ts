import { createInterface } from "node:readline";
import { evaluateLine } from "@devid/rules";
import { Command } from "commander";
import { jsonOption } from "../../flags/shared-options";

/** `devid rules eval`: evaluates NDJSON line by line. */
export function rulesEval(): Command {
  return new Command("eval")
    .addOption(jsonOption("answers are JSON anyway; errors are, too"))
    .action(async () => {
      const lines = createInterface({ input: process.stdin });
      // The reader of the output, such as `head`, may stop reading.
      process.stdout.once("error", () => lines.close());
      for await (const line of lines)
        if (line.trim() !== "")
          process.stdout.write(`${JSON.stringify(evaluateLine(line))}\n`);
    });
}
