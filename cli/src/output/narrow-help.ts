import { Help, type Command } from "commander";

/** The most columns that flags and commands take next to their descriptions. */
const TERM_WIDTH = 30;

/**
 * Formats help in 80 columns. A flag that is too long for the left column
 * stands above its description.
 */
export class NarrowHelp extends Help {
  override minWidthToWrap = 20;

  override padWidth(command: Command, helper: Help): number {
    return Math.min(TERM_WIDTH, super.padWidth(command, helper));
  }

  override formatItem(
    term: string,
    termWidth: number,
    description: string,
    helper: Help,
  ): string {
    const fits = helper.displayWidth(term) <= termWidth;
    const item = (beside: string) =>
      super.formatItem(beside, termWidth, description, helper);
    return fits || !description ? item(term) : `  ${term}\n${item("")}`;
  }
}
