import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool, type Dispatcher } from "undici";
import { figure, printFigures, type Figure } from "./figure";
import { TICKS_A_SECOND } from "./process-tree";
import { ServiceProcess } from "./service-process";

/** With `--quick`, a hundredth of the work, to check that the benchmark runs. */
const SCALE = process.argv.includes("--quick") ? 0.01 : 1;
const ROUNDS = SCALE < 1 ? 1 : 3;
const CONNECTIONS = 8;
type Request = Pick<
  Dispatcher.RequestOptions,
  "method" | "path" | "headers" | "body"
>;

/** A kind of call. */
interface Call {
  readonly name: string;
  readonly goal: number;
  readonly count: number;
  /** The n-th request. */
  readonly request: (n: number) => Request;
}

const BROWSER = {
  origin: "https://shop.example",
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "accept-language": "en-GB,en;q=0.9",
};

/** A visit. Each `device` is another visitor. */
function visit(device: number): Request {
  const body = JSON.stringify({
    sdk: { platform: "js", version: "4.0.0" },
    url: "https://shop.example/login",
    linked_id: `user-${device}`,
    signals: {
      hardware_concurrency: 8,
      platform: "Win32",
      screen_resolution: [1920, 1080],
      timezone: "Europe/Berlin",
      languages: [["en-GB"]],
      canvas: { winding: true, geometry: `g${device}`, text: `t${device}` },
    },
  });
  return post("/us/web/v4/local-public-us", BROWSER, body);
}

const post = (path: string, headers: object, body: string): Request => ({
  ...{ method: "POST", path, body },
  headers: { ...headers, "content-type": "application/json" },
});

const MANAGEMENT = {
  authorization: "Bearer local-management-us",
  "x-api-version": "2025-11-20",
};
const SECRET = { authorization: "Bearer local-secret-us" };

/** A service with 20 webhooks, and an event to read. */
interface Ready {
  readonly service: ServiceProcess;
  readonly pool: Pool;
  readonly eventId: string;
}

/** Sends one request, and returns the body. @throws Error for a status from 300 */
async function send(pool: Pool, request: Request): Promise<string> {
  const { statusCode, body } = await pool.request(request);
  const text = await body.text();
  if (statusCode < 300) return text;
  throw new Error(text.slice(0, 2_000));
}

/** Sends `count` requests over all connections. */
async function sendMany(
  pool: Pool,
  count: number,
  request: Call["request"],
): Promise<void> {
  let next = 0;
  const sendNext = async () => {
    for (let n = next++; n < count; n = next++) await send(pool, request(n));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
}

async function prepare(data: string): Promise<Ready> {
  const service = await ServiceProcess.start(data);
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  for (let n = 0; n < 20; n++) {
    const body = JSON.stringify({ url: `https://shop.example/hook/${n}` });
    await send(pool, post("/management/webhooks", MANAGEMENT, body));
  }
  const { event_id: eventId } = JSON.parse(await send(pool, visit(0))) as {
    event_id: string;
  };
  return { service, pool, eventId };
}

const calls = (eventId: string): Call[] => [
  {
    name: "identify, one busy visitor",
    goal: 2_000,
    count: 10_000 * SCALE,
    request: () => visit(0),
  },
  {
    name: "identify, a visitor in ten is new",
    goal: 2_000,
    count: 10_000 * SCALE,
    request: (n) => visit(n % 10 === 0 ? n + 1_000 : n % 997),
  },
  {
    name: "list of 20 webhooks",
    goal: 10_000,
    count: 40_000 * SCALE,
    request: () => ({
      ...{ method: "GET", path: "/management/webhooks?limit=20" },
      headers: MANAGEMENT,
    }),
  },
  {
    name: "event by ID",
    goal: 24_000,
    count: 60_000 * SCALE,
    request: () => ({
      ...{ method: "GET", path: `/us/v4/events/${eventId}` },
      headers: SECRET,
    }),
  },
];

/**
 * Calls for each second of wall time, and for each second of the service's processor
 * time.
 */
interface Rates {
  readonly wall: number;
  readonly processor: number;
}

async function rates({ service, pool }: Ready, call: Call): Promise<Rates> {
  const { count, request } = call;
  await sendMany(pool, Math.ceil(count / 10), request);
  const [began, used] = [performance.now(), service.processorSeconds];
  await sendMany(pool, count, request);
  const seconds = (performance.now() - began) / 1_000;
  const processor = Math.max(
    service.processorSeconds - used,
    1 / TICKS_A_SECOND,
  );
  return { wall: count / seconds, processor: count / processor };
}

/** The best of some rounds of each call. */
async function serving(folder: string): Promise<Figure[]> {
  const ready = await prepare(join(folder, "devid.db"));
  const figures: Figure[] = [];
  for (const call of calls(ready.eventId)) {
    const rounds: Rates[] = [];
    for (let turn = 0; turn < ROUNDS; turn++)
      rounds.push(await rates(ready, call));
    const processor = rounds.map((round) => round.processor);
    const wall = Math.max(...rounds.map((round) => round.wall));
    figures.push(
      figure(
        `${call.name}: calls a second of processor time, best of ${ROUNDS} (worst ${Math.round(Math.min(...processor))}; by the wall clock ${Math.round(wall)})`,
        Math.max(...processor),
        "/s",
        { atLeast: call.goal },
      ),
    );
  }
  await ready.pool.close();
  await ready.service.end("SIGTERM");
  return figures;
}

/** The memory after 10,000 and after 100,000 visits. */
async function remembering(folder: string): Promise<Figure> {
  const { service, pool } = await prepare(join(folder, "memory.db"));
  const request = (n: number) => visit(n % 10 === 0 ? n : n % 997);
  await sendMany(pool, 10_000 * SCALE, request);
  const few = service.residentMegabytes;
  await sendMany(pool, 90_000 * SCALE, request);
  const many = service.residentMegabytes;
  await pool.close();
  await service.end("SIGTERM");
  return figure(
    `memory after 100000 visits (${Math.round(many)} MB) against that after 10000 (${Math.round(few)} MB)`,
    many / few,
    "x",
    { atMost: 1.2 },
  );
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-service-"));
  try {
    printFigures([...(await serving(folder)), await remembering(folder)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
