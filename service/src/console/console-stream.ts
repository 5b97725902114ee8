import type { ServerResponse } from "node:http";
import type { Region } from "@devid/sdk";
import type { RenderedSections } from "./rendered-sections";

/** How often the stream looks for changes while somebody watches, at most. */
const EVERY_MS = 250;

/**
 * The stream waits four times as long as its last look took. So the console takes at most
 * a fifth of the processor time.
 */
const REST = 4;

/** How long a browser may leave sent data unread. */
const STALLED_MS = 30_000;

interface Watcher {
  readonly response: ServerResponse;
  readonly region: Region | undefined;
  /** The version of each section that was sent last, by the section's ID. */
  readonly sent: Map<string, number>;
  /** Time since which the connection is full; undefined if it is not full. */
  fullSinceMs: number | undefined;
}

/**
 * Sends the changed sections of the console to everybody who watches it, as
 * server-sent events. It compares the state a few times a second, and only
 * while somebody watches, so that no other part of the service has to report
 * its changes.
 *
 * If a browser does not read, at most one section is on its way. When it reads again,
 * it gets the newest version of every other section. If it does not read for 30 s, its
 * connection is closed, and the browser connects again by itself.
 */
export class ConsoleStream {
  private readonly watchers = new Set<Watcher>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sections: RenderedSections,
    private readonly stalledMs = STALLED_MS,
  ) {}

  /** Starts to send to a browser, beginning with every section. */
  watch(response: ServerResponse, region: Region | undefined): void {
    const watcher: Watcher = {
      response,
      region,
      sent: new Map(),
      fullSinceMs: undefined,
    };
    this.watchers.add(watcher);
    response.once("close", () => this.forget(watcher));
    response.on("drain", () => {
      watcher.fullSinceMs = undefined;
      this.send(watcher);
    });
    this.sections.now(region);
    this.send(watcher);
    if (this.timer === undefined) this.wait(EVERY_MS);
  }

  /** Ends the stream of everybody who watches. */
  close(): void {
    for (const { response, fullSinceMs } of this.watchers)
      if (fullSinceMs === undefined) response.end();
      else response.destroy();
  }

  private forget(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (this.watchers.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => {
      const began = performance.now();
      this.look(began);
      const tookMs = performance.now() - began;
      if (this.watchers.size > 0) this.wait(Math.max(EVERY_MS, REST * tookMs));
    }, ms);
  }

  private look(nowMs: number): void {
    for (const watcher of this.watchers) {
      const { response, region, fullSinceMs = nowMs } = watcher;
      if (watcher.fullSinceMs === undefined) {
        this.sections.now(region);
        this.send(watcher);
      } else if (nowMs - fullSinceMs > this.stalledMs) {
        response.destroy();
      }
    }
  }

  /**
   * Sends what has changed until the connection is full. It renders nothing: a
   * browser that reads fast would have everything rendered again and again.
   */
  private send(watcher: Watcher): void {
    const { response, region, sent } = watcher;
    for (const { id, version, message } of this.sections.last(region)) {
      if (sent.get(id) === version) continue;
      sent.set(id, version);
      if (response.write(message)) continue;
      watcher.fullSinceMs = performance.now();
      return;
    }
  }
}
