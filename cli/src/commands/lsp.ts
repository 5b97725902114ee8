import { serveEditor } from "../lsp/server";
import { Command } from "commander";
import { calculate } from "../interruption";
import { cursorStream } from "../output/guard-output";

/** `devid lsp`: serves an editor over standard input and output. */
export function lsp(): Command {
  return new Command("lsp")
    .option(
      "--stdio",
      "for editors that pass it; standard input and output are always used",
    )
    .action(async () => {
      await calculate(() =>
        serveEditor({
          input: process.stdin,
          // The protocol counts bytes, so the output must not be escaped.
          output: cursorStream(process.stdout),
          program: process.argv[1] ?? "",
        }),
      );
      process.exit();
    });
}
