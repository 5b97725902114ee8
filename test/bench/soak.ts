import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, printFigures, round } from "./figure";
import { soak } from "./soak-run";

const minutes = Number(process.argv[process.argv.indexOf("--minutes") + 1]);
const MINUTES = process.argv.includes("--minutes") ? minutes : 15;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-soak-"));
  try {
    const { lost, kills, events, writes, refused, secondThird, lastThird } =
      await soak({
        seconds: MINUTES * 60,
        killEverySeconds: 60,
        visitsPerSecond: 100,
        seed: Date.now() % 100_000,
        data: join(folder, "soak.db"),
      });
    const growth = lastThird / secondThird;
    printFigures([
      figure(
        `lost of ${events} events, their deliveries and ${writes} writes that were acknowledged, in ${kills} kills and ${refused} calls that failed`,
        lost.length,
        "",
        { atMost: 0 },
      ),
      figure(
        `memory of the last third (${round(lastThird)} MB) against that of the second (${round(secondThird)} MB)`,
        growth,
        "x",
        { atMost: 1.1 },
      ),
    ]);
    for (const one of lost.slice(0, 20)) console.error(one);
    if (lost.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
