import { PastEvents } from "../lsp/past-events";
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
    .option(
      "--events <file>",
      "events of an export: show beside each rule how many it decides",
    )
    .action(async ({ events }: { events?: string }) => {
      const past = events === undefined ? undefined : PastEvents.read(events);
      await calculate(() =>
        serveEditor({
          input: process.stdin,
          // The protocol counts bytes, so the output must not be escaped.
          output: cursorStream(process.stdout),
          program: process.argv[1] ?? "",
          events: past,
        }),
      );
      process.exit();
    });
}
