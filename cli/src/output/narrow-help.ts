import { Help, type Command } from "commander";

/** Columns that flags and commands take at most beside their descriptions. */
const TERM_WIDTH = 30;

/** Help in 80 columns: what does not fit beside its description stands above it. */
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
