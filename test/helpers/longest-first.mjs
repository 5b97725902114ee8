import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/** Seconds that the long files took on two quiet cores; a file that is not here takes less. */
const SECONDS = JSON.parse(
  readFileSync(new URL("durations.json", import.meta.url), "utf8"),
);

/**
 * Starts the longest files of a project first, so that no worker is left with one
 * while the other has nothing to do. A checkout has no cache of durations.
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
