import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/**
 * Tests that load Pulumi's runtime. The runtime watches every promise of its process,
 * so asynchronous code that runs later in the same worker takes several times as long.
 */
const LOADS_PULUMI = /^test\/provider\/(program|components|functions)\//;

/**
 * Starts the largest files of a project first (Vitest's own order), so that no worker
 * still runs one while other workers are idle. Files that load Pulumi come last.
 */
export default class TestOrder extends BaseSequencer {
  async sort(specifications) {
    const { root } = this.ctx.config;
    const sorted = await super.sort(specifications);
    const order = ({ project }) => project.config.sequence.groupOrder;
    const loadsPulumi = ({ moduleId }) =>
      LOADS_PULUMI.test(relative(root, moduleId)) ? 1 : 0;
    return sorted.toSorted(
      (a, b) => order(a) - order(b) || loadsPulumi(a) - loadsPulumi(b),
    );
  }
}
