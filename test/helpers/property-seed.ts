import fc from "fast-check";

/**
 * Property tests draw the same values in every run, so that a verdict depends
 * on the commit alone. `DEVID_SEED=random` draws others, `DEVID_SEED=<number>`
 * those of a run that printed this number.
 */
const given = process.env.DEVID_SEED ?? "20";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });
