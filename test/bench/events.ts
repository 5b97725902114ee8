import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";
import { EventCorpus, type CorpusKeys } from "./event-corpus";
import { printFigures, round, type Figure } from "./figure";
import { ServiceProcess } from "./service-process";

const SEED = 20251120;
const BATCH = 1_000;
const SEARCHES = 300;
/** With `--quick`, a hundredth of the events, to check that the benchmark runs. */
const SCALE = process.argv.includes("--quick") ? 0.01 : 1;
const LARGE = 1_000_000 * SCALE;
const SMALL = 10_000 * SCALE;

const SEARCHED = [
  ["visitor_id", "visitorId"],
  ["linked_id", "linkedId"],
  ["ip_address", "ipAddress"],
] as const;

function clientOf({ url, secretKey }: ServiceProcess): Client {
  const eventsRequestsPerSecond = "off";
  const settings = { endpoint: url, secretKey, eventsRequestsPerSecond };
  return createClient(
    optionsFromEnvironment([{ settings, describe: (name) => name }], {}),
  );
}

/** Stores a corpus, and returns events a second. */
async function ingest(
  service: ServiceProcess,
  corpus: EventCorpus,
): Promise<number> {
  let making = 0;
  const startedAt = performance.now();
  for (let from = 0; from < corpus.count; from += BATCH) {
    const madeAt = performance.now();
    const batch = corpus.batch(from, Math.min(BATCH, corpus.count - from));
    making += performance.now() - madeAt;
    await service.control("/us/events", batch);
  }
  return corpus.count / ((performance.now() - startedAt - making) / 1_000);
}

/** The 99th percentile of a hundred repetitions of a search, in milliseconds. */
async function p99(
  client: Client,
  corpus: EventCorpus,
  [key, argument]: readonly [keyof CorpusKeys, string],
): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < SEARCHES; n++) {
    const args = { [argument]: corpus.keys()[key] };
    const startedAt = performance.now();
    await client.events.search(args);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(SEARCHES * 0.99)] ?? NaN;
}

/** The same searches in a small and in a large store, alternating. */
async function searching(folder: string): Promise<Figure[]> {
  const [large, small] = [
    await ServiceProcess.start(join(folder, "large.db")),
    await ServiceProcess.start(join(folder, "small.db")),
  ];
  try {
    const now = Date.now();
    const largeCorpus = new EventCorpus(LARGE, now, SEED);
    const smallCorpus = new EventCorpus(SMALL, now, SEED);
    const perSecond = await ingest(large, largeCorpus);
    await ingest(small, smallCorpus);
    const [largeClient, smallClient] = [clientOf(large), clientOf(small)];
    // One round first, so that both processes have run the code before.
    for (const by of SEARCHED) {
      await p99(smallClient, smallCorpus, by);
      await p99(largeClient, largeCorpus, by);
    }
    const searches: Figure[] = [];
    for (const by of SEARCHED) {
      const rounds = { large: [] as number[], small: [] as number[] };
      for (let turn = 0; turn < 3; turn++) {
        rounds.small.push(await p99(smallClient, smallCorpus, by));
        rounds.large.push(await p99(largeClient, largeCorpus, by));
      }
      const ofLarge = Math.min(...rounds.large);
      const ratio = ofLarge / Math.min(...rounds.small);
      searches.push(
        {
          name: `search by ${by[0]} of ${LARGE} events: p99, best of 3 (worst ${round(Math.max(...rounds.large))} ms)`,
          value: round(ofLarge),
          unit: "ms",
          goal: "< 20",
          holds: ofLarge < 20,
        },
        {
          name: `the same against ${SMALL} events`,
          value: round(ratio),
          unit: "x",
          goal: "<= 1.5",
          holds: ratio <= 1.5,
        },
      );
    }
    return [
      {
        name: `ingest of ${LARGE} events, ${BATCH} a batch`,
        value: Math.round(perSecond),
        unit: "/s",
        goal: ">= 10000",
        holds: perSecond >= 10_000,
      },
      ...searches,
      {
        name: "memory of the service meanwhile, at most",
        value: Math.round(large.peakMegabytes),
        unit: "MB",
        goal: "< 300",
        holds: large.peakMegabytes < 300,
      },
    ];
  } finally {
    await Promise.all([large.stop(), small.stop()]);
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  try {
    printFigures(await searching(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
