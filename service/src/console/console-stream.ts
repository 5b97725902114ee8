import type { ServerResponse } from "node:http";
import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import { SECTIONS } from "./console-page";
import { sectionOf } from "./section";

/** How often is looked for changes while somebody watches. */
const EVERY_MS = 250;

/** Requests whose answers may still come. */
const RECENT_REQUESTS = 100;

interface Watcher {
  readonly response: ServerResponse;
  readonly region: Region | undefined;
  /** The sections as they were sent last. */
  readonly sent: Map<string, string>;
}

/**
 * Sends the sections of the console that have changed to all who watch it, as
 * server-sent events. It looks for changes a few times a second and only while
 * somebody watches, so that nothing else has to know of it.
 */
export class ConsoleStream {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;
  private seen = "";

  constructor(private readonly context: Context) {}

  /** Begins to send; the first time, every section. */
  watch(response: ServerResponse, region: Region | undefined): void {
    const watcher = { response, region, sent: new Map<string, string>() };
    this.watchers.add(watcher);
    response.once("close", () => this.forget(watcher));
    this.send(watcher);
    this.timer ??= setInterval(() => this.look(), EVERY_MS);
  }

  /** Lets go of all who watch. */
  close(): void {
    for (const { response } of this.watchers) response.end();
  }

  private forget(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (this.watchers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    const now = this.state();
    // Who still has to read what was sent before is not sent more.
    const ready = [...this.watchers].filter(
      ({ response }) => !response.writableNeedDrain,
    );
    if (now === this.seen || ready.length < this.watchers.size) return;
    this.seen = now;
    for (const watcher of ready) this.send(watcher);
  }

  /** Differs when anything was stored, asked or answered. */
  private state(): string {
    const { store, requestLog } = this.context;
    const requests = requestLog.since(0).slice(-RECENT_REQUESTS);
    return JSON.stringify([
      store.activity.changes(),
      requests.map(({ n, status }) => [n, status]),
    ]);
  }

  private send({ response, region, sent }: Watcher): void {
    for (const section of SECTIONS) {
      const { text } = sectionOf(section, this.context, region);
      if (sent.get(section.id) === text) continue;
      sent.set(section.id, text);
      const data = JSON.stringify({ id: section.id, html: text });
      response.write(`event: section\ndata: ${data}\n\n`);
    }
  }
}
