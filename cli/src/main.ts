import { Command } from "commander";
import { rules } from "./commands/rules";
import { serve } from "./commands/serve";
import { whoami } from "./commands/whoami";
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
    .addCommand(rules());
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
