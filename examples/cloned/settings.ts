import { applyStackSettings } from "@devid/pulumi/settings";

/** Arguments that differ in a stack: `settings` in its config. */
export const settings = applyStackSettings();
