import { resolve } from "node:path";

const LOAD_LATE = resolve(__dirname, "load-late.cjs");

/** Lets Node start Pulumi's own processes without what they seldom need. */
export const QUICK_START = {
  NODE_OPTIONS: [process.env.NODE_OPTIONS, `--require "${LOAD_LATE}"`]
    .filter(Boolean)
    .join(" "),
};

/**
 * Saves seconds of each engine run of a test. Types are not checked again: `tsc -b`
 * has checked the examples. clone-documentation.e2e.test.ts runs an exported program
 * without these settings, as a user does.
 */
export const QUICK_PROGRAMS = {
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  ...QUICK_START,
};
