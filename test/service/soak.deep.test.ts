import { join } from "node:path";
import { expect, it } from "vitest";
import { soak } from "../bench/soak-run.js";
import { folderForTests } from "../helpers/test-folder";

const folder = folderForTests();

it("the service loses nothing that it acknowledged when it is killed repeatedly under load and faults", async () => {
  const report = await soak({
    seconds: 12,
    killEverySeconds: 3,
    visitsPerSecond: 20,
    seed: 7,
    data: join(folder, "soak.db"),
  });
  expect(report.lost).toEqual([]);
  expect(report.kills).toBeGreaterThan(2);
  expect(report.events).toBeGreaterThan(20);
  expect(report.writes).toBeGreaterThan(5);
  expect(report.refused).toBeGreaterThan(0);
}, 120_000);
