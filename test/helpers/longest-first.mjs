import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/**
 * Seconds that the slow files took on two idle cores. Files that are not listed are
 * faster.
 */
const SECONDS = JSON.parse(
  readFileSync(new URL("durations.json", import.meta.url), "utf8"),
);

/**
 * Tests that load Pulumi's runtime. The runtime watches every promise of its process,
 * so asynchronous code that runs later in the same worker takes several times as long.
 */
const LOADS_PULUMI = /^test\/provider\/(program|components|functions)\//;

/**
 * Starts the slowest files of a project first, so that no worker still runs a slow file
 * while other workers are idle. Files that load Pulumi come after all others. The
 * durations are in a file, because a new checkout has no cache.
 */
export default class LongestFirst extends BaseSequencer {
  async sort(specifications) {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }) => SECONDS[relative(root, moduleId)] ?? 0;
    const order = ({ project }) => project.config.sequence.groupOrder;
    const loadsPulumi = ({ moduleId }) =>
      LOADS_PULUMI.test(relative(root, moduleId)) ? 1 : 0;
    return specifications.toSorted(
      (a, b) =>
        order(a) - order(b) ||
        loadsPulumi(a) - loadsPulumi(b) ||
        seconds(b) - seconds(a) ||
        (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
