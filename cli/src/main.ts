import { Command } from "commander";
import { rules } from "./commands/rules";
import { serve } from "./commands/serve";
import { whoami } from "./commands/whoami";
import { lazyCommand } from "./lazy-command";
import { reportError } from "./report-error";
import { version } from "./version";

/** Runs the command line; sets the exit code: 0 nothing to say, 1 error, 2 differences, 3 service unreachable. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("devid")
    .description(
      "Infrastructure as code for the workspace of a device identification event service.",
    )
    .version(version)
    .showHelpAfterError("(devid --help lists the commands)")
    .addCommand(serve())
    .addCommand(whoami())
    .addCommand(rules())
    .addCommand(
      lazyCommand(
        "export",
        "write the workspace as a Pulumi program, without touching it",
        async () => (await import("./commands/export.js")).exportCommand(),
      ),
    )
    .addCommand(
      lazyCommand(
        "compare",
        "show what differs between two workspaces",
        async () => (await import("./commands/compare.js")).compare(),
      ),
    )
    .addCommand(
      lazyCommand(
        "events",
        "read, change and export identification events",
        async () => (await import("./commands/events.js")).events(),
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
