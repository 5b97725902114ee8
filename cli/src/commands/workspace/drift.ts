import { formatDrift } from "@devid/clone";
import { repeatedFlag } from "../../flags/flag-values";
import {
  defineCommand,
  flag,
  parsedFlag,
  textFlag,
} from "../../flags/define-command";
import { reportFlags } from "../../flags/shared-flags";
import { withoutKeys } from "../../output/without-keys";
import { printReport } from "../../output/print-report";
import { readOutput } from "../../sources/rule-files";
import { driftExit, driftOf, stateIn } from "../../sources/stack-drift";

const FLAGS = {
  stack: textFlag("<name> stack of the program; default: the selected one"),
  plan: textFlag(
    "<preview.json> output of pulumi preview --json --show-sames, instead of running pulumi",
  ),
  otherState: parsedFlag(
    "<file> pulumi stack export of another stack with objects in the workspace; repeatable",
    repeatedFlag,
  ),
  allowed: textFlag(
    "<file> IDs of objects that are meant to be in no state, one a line; # begins a comment",
  ),
  oursOnly: flag("leave out the objects that are in no state"),
  ...reportFlags("json", "markdown"),
};

/**
 * `devid drift`: shows the objects that differ from the stack's state and program, and
 * the objects that are in no state.
 */
export const drift = defineCommand({
  arguments: [["[folder]", "folder of the program, with Pulumi.yaml", "."]],
  flags: FLAGS,
  run: async (folder, flags) => {
    const otherStates = flags.otherState?.map((path) =>
      stateIn(readOutput(path), path),
    );
    const found = await driftOf(folder, { ...flags, otherStates });
    const shown = withoutKeys(found);
    printReport(flags, {
      json: () => shown,
      text: () => formatDrift(shown, "text"),
      markdown: () => formatDrift(shown, "markdown"),
    });
    process.exitCode = driftExit(found);
  },
});
