import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/**
 * Seconds that the slow files took on two idle cores; files that are not listed
 * are faster.
 */
const SECONDS = JSON.parse(
  readFileSync(new URL("durations.json", import.meta.url), "utf8"),
);

/**
 * Starts the slowest files of a project first, so that no worker still runs one
 * while the others are idle. The durations are in a file because a new checkout
 * has no cache.
 */
export default class LongestFirst extends BaseSequencer {
  async sort(specifications) {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }) => SECONDS[relative(root, moduleId)] ?? 0;
    const order = ({ project }) => project.config.sequence.groupOrder;
    return specifications.toSorted(
      (a, b) =>
        order(a) - order(b) ||
        seconds(b) - seconds(a) ||
        (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
