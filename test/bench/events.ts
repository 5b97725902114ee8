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
/** With `--quick`, a hundredth of the events: to see that it runs. */
const SCALE = process.argv.includes("--quick") ? 0.01 : 1;
const LARGE = 1_000_000 * SCALE;
const SMALL = 10_000 * SCALE;
const WALKED = 100_000 * SCALE;

const SEARCHED = [
  ["visitor_id", "visitorId"],
  ["linked_id", "linkedId"],
  ["ip_address", "ipAddress"],
] as const;

function clientOf({ url, secretKey }: ServiceProcess): Client {
  const settings = { endpoint: url, secretKey, eventsRequestsPerSecond: "off" };
  return createClient(
    optionsFromEnvironment([{ settings, describe: (name) => name }], {}),
  );
}

/** Stores a corpus; answers events a second. */
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

/** The 99th of a hundred times of a search, in milliseconds. */
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

/** The same searches of a small and of a large store, in turns. */
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
    // Once over, so that both processes have run the code before.
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

/** All events of a service that takes 50 ms for each answer, page by page and in slices. */
async function walking(folder: string): Promise<Figure[]> {
  const service = await ServiceProcess.start(join(folder, "walked.db"));
  try {
    const now = Date.now();
    await ingest(service, new EventCorpus(WALKED, now, SEED));
    await service.control("/faults", {
      match: { surface: "events" },
      then: { delayMs: 50 },
    });
    const client = clientOf(service);
    const range = { start: now - 6.5 * 24 * 3_600_000, end: now };
    const plain = await timed(async () => {
      const ids: string[] = [];
      for (let paginationKey: string | undefined; ;) {
        const page = await client.events.search({
          ...range,
          limit: 100,
          paginationKey,
        });
        ids.push(...page.events.map(({ event_id: id }) => id));
        ({ paginationKey } = page);
        if (paginationKey === undefined) return ids;
      }
    });
    const sliced = await timed(async () => {
      const ids: string[] = [];
      const found = client.events.searchAll(range, { concurrency: 8 });
      for await (const { event_id: id } of found) ids.push(id);
      return ids;
    });
    const same =
      plain.ids.length === WALKED &&
      sliced.ids.length === WALKED &&
      plain.ids.every((id, n) => id === sliced.ids[n]);
    const ratio = plain.seconds / sliced.seconds;
    return [
      {
        name: `searchAll over ${WALKED} events, concurrency 8, answers delayed by 50 ms: throughput against a loop of pages (${Math.round(plain.seconds)} s against ${Math.round(sliced.seconds)} s)`,
        value: round(ratio),
        unit: "x",
        goal: ">= 4",
        holds: ratio >= 4,
      },
      {
        name: "the same events, in the same order, once each",
        value: sliced.ids.length,
        unit: "",
        goal: String(WALKED),
        holds: same,
      },
    ];
  } finally {
    await service.stop();
  }
}

async function timed(work: () => Promise<string[]>) {
  const startedAt = performance.now();
  const ids = await work();
  return { ids, seconds: (performance.now() - startedAt) / 1_000 };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  try {
    printFigures([...(await searching(folder)), ...(await walking(folder))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
