import * as devid from "@devid/pulumi";

/** Arguments that differ in a stack: `settings` in its config. */
export const settings = devid.applyStackSettings();
