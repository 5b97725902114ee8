import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SeededRandom } from "./seeded-random";
import { ServiceProcess } from "./service-process";
import { median } from "./statistics";

/** The duration and the load of a soak test. */
export interface SoakOptions {
  readonly seconds: number;
  /** How often the service is killed and faults are set. */
  readonly killEverySeconds: number;
  readonly visitsPerSecond: number;
  readonly seed: number;
  /** The data file. */
  readonly data: string;
}

/** The work of a soak test, and what was lost. */
export interface SoakReport {
  readonly kills: number;
  readonly events: number;
  readonly writes: number;
  readonly refused: number;
  /** Acknowledged data that is missing. */
  readonly lost: readonly string[];
  /** The service's memory in megabytes: the medians of the second and of the last third. */
  readonly secondThird: number;
  readonly lastThird: number;
}

const JSON_TYPE = { "content-type": "application/json" };
const MANAGEMENT = {
  ...JSON_TYPE,
  authorization: "Bearer local-management-us",
  "x-api-version": "2025-11-20",
};
const SECRET = { authorization: "Bearer local-secret-us" };

const FAULTS = [
  { match: { surface: "agent" }, times: 3, then: "reset" },
  { match: { surface: "agent" }, times: 3, then: "reset", after: true },
  { match: { surface: "agent" }, times: 3, then: { status: 503 } },
  { match: { surface: "management" }, times: 2, then: { truncate: 20 } },
  { match: { surface: "management" }, times: 2, then: "reset", after: true },
  { match: {}, times: 5, then: { delayMs: 50 } },
];

/**
 * Visits, searches, reads and writes against a service that is repeatedly killed while
 * it works, and whose answers are delayed, cut off and replaced. At the end, the test
 * checks everything that was acknowledged: events, deliveries to a webhook, and created
 * or deleted API keys.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const run = new Soak(options);
  try {
    return await run.report();
  } finally {
    await run.close();
  }
}

class Soak {
  private readonly random: SeededRandom;
  private readonly events = new Set<string>();
  /** IDs of API keys, and whether each key was deleted. */
  private readonly keys = new Map<string, boolean>();
  /** Keys whose deletion got no answer, so that either outcome is right. */
  private readonly unknown = new Set<string>();
  private readonly received = new Set<string>();
  private readonly failed = new Set<string>();
  private readonly memory: number[] = [];
  private readonly receiver: Server;
  private service: ServiceProcess | undefined;
  private kills = 0;
  private writes = 0;
  private refused = 0;

  constructor(private readonly options: SoakOptions) {
    this.random = new SeededRandom(options.seed);
    this.receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const { event_id } = JSON.parse(text) as { event_id: string };
        // Some deliveries fail once and are repeated. The second attempt is the last.
        const isNew =
          !this.received.has(event_id) && !this.failed.has(event_id);
        const fails = isNew && this.random.chance(0.01);
        (fails ? this.failed : this.received).add(event_id);
        response.writeHead(fails ? 500 : 200).end();
      });
    });
  }

  async report(): Promise<SoakReport> {
    const { seconds, killEverySeconds } = this.options;
    this.receiver.listen(0, "127.0.0.1");
    await once(this.receiver, "listening");
    await this.start();
    const { port } = this.receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hook`;
    await this.call("POST", "/_local/us/webhooks", { url, verified: true });
    const end = performance.now() + seconds * 1_000;
    const workers = [this.visits(end), this.reads(end), this.changes(end)];
    let nextKill = performance.now() + killEverySeconds * 1_000;
    while (performance.now() < end) {
      await sleep(Math.min(1_000, Math.max(0, end - performance.now())));
      this.memory.push(this.service?.residentMegabytes ?? 0);
      const fault = FAULTS[this.random.below(FAULTS.length)];
      await this.call("POST", "/_local/faults", fault).catch(() => undefined);
      if (performance.now() < nextKill) continue;
      nextKill += killEverySeconds * 1_000;
      await this.kill();
      await this.start();
    }
    await Promise.all(workers);
    await this.kill();
    await this.start();
    const lost = await this.lost();
    const third = Math.floor(this.memory.length / 3);
    return {
      kills: this.kills,
      events: this.events.size,
      writes: this.writes,
      refused: this.refused,
      lost,
      secondThird: median(this.memory.slice(third, 2 * third)),
      lastThird: median(this.memory.slice(-third)),
    };
  }

  async close(): Promise<void> {
    await this.kill();
    this.receiver.closeAllConnections();
    this.receiver.close();
  }

  private async start(): Promise<void> {
    this.service = await ServiceProcess.start(this.options.data);
  }

  private async kill(): Promise<void> {
    const { service } = this;
    if (!service) return;
    this.service = undefined;
    await service.end("SIGKILL");
    this.kills++;
  }

  /**
   * Makes a call and returns its body. @throws Error for an error status, or without an
   * answer
   */
  private async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = JSON_TYPE,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.service?.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new StatusError(answer.status);
    return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  }

  private async visits(end: number): Promise<void> {
    const waitMs = 1_000 / this.options.visitsPerSecond;
    for (let n = 0; performance.now() < end; n++) {
      const visitor = this.random.below(500);
      const visit = {
        sdk: { platform: "js", version: "4.0.0" },
        url: "https://shop.example/login",
        linked_id: `user-${visitor}`,
        signals: { platform: "Win32", canvas: { text: `t${visitor}` } },
      };
      const visited = this.call(
        "POST",
        "/us/web/v4/local-public-us",
        visit,
      ).then(
        ({ event_id }) => this.events.add(String(event_id)),
        () => this.refused++,
      );
      // Two at a time: the next visit does not wait for this one to end.
      if (n % 2 === 0) await visited;
      await sleep(waitMs);
    }
  }

  private async reads(end: number): Promise<void> {
    while (performance.now() < end) {
      const user = `user-${this.random.below(500)}`;
      const path = `/us/v4/events?linked_id=${user}&limit=20`;
      await this.call("GET", path, undefined, SECRET).catch(
        () => this.refused++,
      );
      await sleep(100);
    }
  }

  private async changes(end: number): Promise<void> {
    for (let n = 0; performance.now() < end; n++) {
      const alive = [...this.keys].filter(([, isGone]) => !isGone);
      const [oldest] = alive.find(([id]) => !this.unknown.has(id)) ?? [];
      try {
        if (alive.length > 50 && oldest !== undefined) {
          this.unknown.add(oldest);
          await this.call(
            "DELETE",
            `/management/api-keys/${oldest}`,
            undefined,
            MANAGEMENT,
          );
          this.unknown.delete(oldest);
          this.keys.set(oldest, true);
        } else {
          const body = { type: "secret", name: `soak ${n}` };
          const { data } = await this.call(
            "POST",
            "/management/api-keys",
            body,
            MANAGEMENT,
          );
          this.keys.set((data as { id: string }).id, false);
        }
        this.writes++;
      } catch {
        this.refused++;
      }
      await sleep(50);
    }
  }

  /** Checks that everything acknowledged is there. */
  private async lost(): Promise<string[]> {
    const lost: string[] = [];
    const status = (path: string, headers: Record<string, string>) =>
      this.call("GET", path, undefined, headers).then(
        () => 200,
        (error: unknown) => (error instanceof StatusError ? error.status : 0),
      );
    for (const id of this.events)
      if ((await status(`/us/v4/events/${id}`, SECRET)) !== 200)
        lost.push(`event ${id}`);
    for (const [id, isGone] of this.keys) {
      if (this.unknown.has(id)) continue;
      const found = await status(`/management/api-keys/${id}`, MANAGEMENT);
      if (found !== (isGone ? 404 : 200)) lost.push(`API key ${id}: ${found}`);
    }
    // Failed and interrupted deliveries are repeated after 5 minutes.
    const waiting = () =>
      [...this.events].filter((id) => !this.received.has(id));
    for (let turn = 0; turn < 100 && waiting().length > 0; turn++) {
      if (turn % 20 === 0)
        await this.call("POST", "/_local/clock", { advance: "6m" });
      await sleep(100);
    }
    const ended =
      waiting().length > 0 ? await this.attemptedTwice() : new Set();
    const undelivered = waiting().filter((id) => !ended.has(id));
    return [...lost, ...undelivered.map((id) => `delivery of ${id}`)];
  }

  /**
   * Events whose delivery was attempted twice, and no more is promised: kills and a busy
   * machine can interrupt both attempts.
   */
  private async attemptedTwice(): Promise<ReadonlySet<unknown>> {
    const twice = new Set<string>();
    for (let since = 0; ;) {
      const rows = (await this.call(
        "GET",
        `/_local/us/deliveries?since=${since}`,
      )) as unknown as readonly Delivery[];
      for (const { event_id, attempts } of rows)
        if (attempts.length > 1) twice.add(event_id);
      const last = rows.at(-1);
      if (!last) return twice;
      since = last.n;
    }
  }
}

/** What is read of a delivery. */
interface Delivery {
  readonly n: number;
  readonly event_id: string;
  readonly attempts: readonly unknown[];
}

/** An answer with an error status. */
class StatusError extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}
