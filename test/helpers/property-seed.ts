import fc from "fast-check";

/**
 * Makes property tests use the same values in every run, so that the result
 * depends only on the commit. `DEVID_SEED=random` uses new values, and
 * `DEVID_SEED=<number>` repeats a run that printed this number.
 */
const given = process.env.DEVID_SEED ?? "20";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });
