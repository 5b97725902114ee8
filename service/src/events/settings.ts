import type { Region } from "@devid/sdk";
import { z } from "zod";
import type { Store } from "../store/store";
import { SIGNAL_NAMES } from "./signals";

/** What a control call can set of a workspace. */
export const Settings = z.strictObject({
  lookbackDays: z
    .int()
    .min(7)
    .max(90)
    .describe("How far back searches may look."),
  signals: z
    .union(
      [z.literal("all"), z.array(z.enum(SIGNAL_NAMES))],
      `must be "all" or an array of ${SIGNAL_NAMES.join(", ")}`,
    )
    .describe("Activated signals; the others are left out of every event."),
  zeroTrust: z.boolean(),
  identification: z.boolean(),
  sealed: z.boolean(),
});

/** Settings of a workspace. */
export type Settings = z.output<typeof Settings>;

const DEFAULTS: Settings = {
  lookbackDays: 90,
  signals: "all",
  zeroTrust: false,
  identification: true,
  sealed: false,
};

/** The settings of a workspace that are in force. */
export function settingsOf({ settings }: Store, workspace: Region): Settings {
  const changed = settings.get(workspace);
  // What is stored was checked when it was stored.
  return { ...DEFAULTS, ...(JSON.parse(changed ?? "{}") as Partial<Settings>) };
}
