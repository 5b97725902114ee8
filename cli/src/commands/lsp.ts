import { serveEditor } from "../lsp/server";
import { defineCommand, flag } from "../flags/define-command";
import { calculate } from "../interruption";
import { cursorStream } from "../output/guard-output";

/** `devid lsp`: serves an editor over standard input and output. */
export const lsp = defineCommand({
  flags: {
    stdio: flag(
      "for editors that pass it; standard input and output are always used",
    ),
  },
  run: async () => {
    await calculate(() =>
      serveEditor(
        process.stdin,
        // The protocol counts bytes, so the output must not be escaped.
        cursorStream(process.stdout),
        process.argv[1] ?? "",
      ),
    );
    process.exit();
  },
});
