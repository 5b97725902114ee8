import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { Html } from "./html";

/** A part of the console that is brought up to date by itself. */
export interface Section {
  /** ID of its element, and the name of its place in the menu. */
  readonly id: string;
  readonly title: string;
  /** What stands below the title, for these regions. */
  readonly render: (context: Context, regions: readonly Region[]) => Html;
}
