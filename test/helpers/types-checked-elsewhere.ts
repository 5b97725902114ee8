/**
 * Lets Pulumi run a TypeScript program without checking its types each time,
 * which takes seconds: `tsc -b` has checked the examples, and
 * clone-documentation.e2e.test.ts runs what an export writes with the check.
 */
export const TYPES_CHECKED_ELSEWHERE = {
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
} as const;
