import { Command } from "commander";
import { rules } from "./commands/rules/rules";
import { serve } from "./commands/serve";
import { whoami } from "./commands/workspace/whoami";
import { lazyCommand } from "./lazy-command";
import { reportError } from "./output/report-error";

/** Version of this package; a test holds it equal to package.json. */
const VERSION = "0.1.0";

/** Runs the command line; sets the exit code: 0 nothing to say, 1 error, 2 differences, 3 service unreachable. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("devid")
    .description(
      "Infrastructure as code for the workspace of a device identification event service.",
    )
    .version(VERSION)
    .showHelpAfterError("(devid --help lists the commands)")
    .addCommand(serve())
    .addCommand(whoami())
    .addCommand(rules())
    .addCommand(
      lazyCommand(
        "export",
        "write the workspace as a Pulumi program, without touching it",
        async () =>
          (await import("./commands/workspace/export.js")).exportCommand(),
      ),
    )
    .addCommand(
      lazyCommand(
        "compare",
        "show what differs between two workspaces",
        async () => (await import("./commands/workspace/compare.js")).compare(),
      ),
    )
    .addCommand(
      lazyCommand(
        "events",
        "read, change and export identification events",
        async () => (await import("./commands/events/events.js")).events(),
      ),
    )
    .addCommand(
      lazyCommand("drn", "read the reputation of Android devices", async () =>
        (await import("./commands/drn.js")).drn(),
      ),
    );
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
