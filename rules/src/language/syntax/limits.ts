/** Longest source that is read, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 100_000;

/** Most nodes of one expression, counted as expr-lang counts them: its own default. */
export const MAX_NODES = 10_000;

/** Most levels of nesting: brackets, calls, prefix operators, branches of a condition. */
export const MAX_LEVELS = 1_000;

/** Longest pattern of `matches`, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 10_000;

/** Most instructions that a pattern of `matches` may compile to. */
export const MAX_PATTERN_SIZE = 20_000;
