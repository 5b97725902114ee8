import type { ServerResponse } from "node:http";
import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import { SECTIONS } from "./console-page";
import { sectionOf } from "./section";

/** How often the stream looks for changes while somebody watches. */
const EVERY_MS = 250;

/**
 * How many of the last requests may still get their answer, or another status.
 */
const RECENT_REQUESTS = 100;

interface Watcher {
  readonly response: ServerResponse;
  readonly region: Region | undefined;
  /** The text of each section as it was sent last, by the section's ID. */
  readonly sent: Map<string, string>;
  /** The state that was sent last. */
  seen: string;
}

/**
 * Sends the changed sections of the console to everybody who watches it, as
 * server-sent events. It compares the state a few times a second, and only
 * while somebody watches, so that no other part of the service has to report
 * its changes.
 */
export class ConsoleStream {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly context: Context) {}

  /** Starts to send to a browser, beginning with every section. */
  watch(response: ServerResponse, region: Region | undefined): void {
    const watcher = {
      response,
      region,
      sent: new Map<string, string>(),
      seen: "",
    };
    this.watchers.add(watcher);
    response.once("close", () => this.forget(watcher));
    this.send(watcher);
    this.timer ??= setInterval(() => this.look(), EVERY_MS);
  }

  /** Ends the stream of everybody who watches. */
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
    for (const watcher of this.watchers) {
      // A browser that has not read the last update gets the newest one later,
      // so a slow reader neither fills the memory nor holds up the others.
      if (watcher.seen === now || watcher.response.writableNeedDrain) continue;
      watcher.seen = now;
      this.send(watcher);
    }
  }

  /** A text that differs after anything was stored, asked or answered. */
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
