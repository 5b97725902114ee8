import { resolve } from "node:path";

const QUICK = resolve(__dirname, "quick-start.cjs");

/**
 * Makes Pulumi's Node processes load rarely used modules on first use. All other
 * modules are compiled by the first process and cached for later ones.
 */
export const QUICK_START = {
  // A second thread for V8 costs more than it gains while other tests use the cores.
  NODE_OPTIONS: [
    process.env.NODE_OPTIONS,
    "--v8-pool-size=0",
    `--require "${QUICK}"`,
  ]
    .filter(Boolean)
    .join(" "),
  TEST_CODE_CACHE: resolve(__dirname, "../../node_modules/.cache/test-code"),
};

/**
 * Turns off what makes the processes of tests quick: a benchmark measures what a user's
 * processes load.
 */
export const USERS_START = {
  NODE_OPTIONS: process.env.NODE_OPTIONS ?? "",
  GOGC: process.env.GOGC ?? "",
};

/**
 * Saves seconds in each engine run of a test, because types are not checked
 * again: `tsc -b` has checked the examples.
 */
export const QUICK_PROGRAMS = {
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  // The engine ends before it needs the memory that a garbage collection would free.
  GOGC: "off",
  ...QUICK_START,
};
