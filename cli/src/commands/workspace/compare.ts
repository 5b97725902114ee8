import {
  compareWorkspaces,
  formatComparison,
  isSame,
  type Comparison,
} from "@devid/clone";
import { defineCommand, textFlag } from "../../flags/define-command";
import { reportFlags, showSecretsFlag } from "../../flags/shared-flags";
import {
  assertTwoWorkspaces,
  findSource,
  selectionOf,
} from "../../sources/compared-source";
import { withoutKeys } from "../../output/without-keys";
import { EXIT } from "../../output/report-error";
import { printReport } from "../../output/print-report";
import { hasColors } from "../../output/write-output";

/** `devid compare`: shows how two workspaces differ. */
export const compare = defineCommand({
  arguments: [
    [
      "<before>",
      "a region, one environment of it (eu/Staging), or a folder of devid export",
    ],
    ["<after...>", "the same; each is compared with the first"],
  ],
  flags: {
    environment: textFlag("<id|name> only this environment of both"),
    ...reportFlags("json", "markdown"),
    showSecrets: showSecretsFlag,
  },
  run: async (before, after, flags) => {
    const { environment } = flags;
    const readBefore = findSource(before);
    const readAfter = after.map(findSource);
    const was = await readBefore();
    const comparisons: Comparison[] = [];
    for (const [index, read] of readAfter.entries()) {
      const is = await read();
      assertTwoWorkspaces(was, is);
      comparisons.push(
        compareWorkspaces(
          { name: before, selection: selectionOf(was, is, environment) },
          {
            name: after[index] ?? "",
            selection: selectionOf(is, was, environment),
          },
        ),
      );
    }
    const shown = withoutKeys(comparisons, flags);
    const [only, ...others] = shown;
    const one = others.length === 0 ? only : undefined;
    printReport(flags, {
      json: () => (one ? inReport(one) : { comparisons: shown.map(inReport) }),
      text: () => formatComparison(shown, "text", { color: hasColors(flags) }),
      markdown: () => formatComparison(shown, "markdown"),
    });
    if (!comparisons.every(isSame)) process.exitCode = EXIT.differences;
  },
});

/** A comparison with the names `a` and `b` of its sides, as every report has them. */
const inReport = ({ before: a, after: b, ...found }: Comparison) => ({
  ...{ a, b },
  ...found,
});
