import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Region } from "@devid/sdk";
import { Clock } from "../../../service/src/clock";
import { SECTIONS } from "../../../service/src/console/console-page";
import { ConsoleStream } from "../../../service/src/console/console-stream";
import { RenderedSections } from "../../../service/src/console/rendered-sections";
import { completeEvent } from "../../../service/src/control/add-events";
import { RequestLog } from "../../../service/src/http/request-log";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { openStore, type Store } from "../../../service/src/store/store";

const STALLED_MS = 500;

/** More bytes than the buffers of a connection on this machine hold. */
const MUCH = 12_000_000;

describe("the stream of the console", () => {
  const clock = new Clock();
  let store: Store;
  let sections: RenderedSections;
  let stream: ConsoleStream;
  let server: Server;
  /** The responses to the browsers, in the order of their connections. */
  let responses: ServerResponse[];
  let sockets: Socket[];

  beforeEach(async () => {
    store = openStore(":memory:", clock, DEVELOPMENT_KEYS);
    sections = new RenderedSections(
      { store, requestLog: new RequestLog() },
      SECTIONS,
    );
    stream = new ConsoleStream(sections);
    responses = [];
    sockets = [];
    server = createServer((request, response) => {
      responses.push(response);
      stream.watch(response, request.url?.slice(1) as Region | undefined);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    for (const socket of sockets) socket.destroy();
    stream.close();
    server.close();
    store.close();
  });

  /** Connects a browser, and waits until it has received something. */
  const watch = async (region: Region = "us"): Promise<Socket> => {
    const before = responses.length;
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1").pause();
    sockets.push(socket);
    socket.write(`GET /${region} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await vi.waitFor(() => expect(responses.length).toBe(before + 1));
    return socket;
  };
  /** Lets a browser read. The returned function waits until it has read a text. */
  const reading = (socket: Socket) => {
    let read = "";
    socket.setEncoding("latin1").on("data", (text: string) => (read += text));
    socket.resume();
    return async (wanted: string) => {
      await vi.waitFor(() => expect(read.includes(wanted)).toBe(true), 10_000);
      read = "";
    };
  };
  let visited = 0;
  const visit = (filler = 0, region: Region = "us"): string => {
    const url = `https://shop.example/visit-${++visited}-`;
    const event = completeEvent(
      { url, tags: { filler: "x".repeat(filler) } },
      clock.nowMs(),
      undefined,
    );
    store.events.insert(region, [event]);
    return url;
  };
  /** Fills the connection of a browser that does not read. */
  const fill = async (response: ServerResponse) => {
    for (let n = 0; n < MUCH && !response.writableNeedDrain; n += 100_000)
      response.write("x".repeat(100_000));
    await vi.waitFor(() => expect(response.writableNeedDrain).toBe(true));
    // More than the kernel can accept in the meantime.
    response.write("x".repeat(MUCH));
  };

  it("reaches every other browser while some do not read, and buffers little for those", async () => {
    const stalled = [await watch(), await watch()];
    for (const response of responses.slice(0, 2)) await fill(response);
    const held = responses.map(({ writableLength }) => writableLength);
    const until = reading(await watch());
    for (let n = 0; n < 300; n++) {
      const url = visit(16_000);
      if (n % 50 === 0) await until(url);
    }
    const more = responses
      .slice(0, 2)
      .map(({ writableLength }, i) => writableLength - (held[i] ?? 0));
    for (const bytes of more) expect(bytes).toBeLessThan(200_000);
    expect(stalled.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  it("closes the connection of a browser that has not read for a long time", async () => {
    stream = new ConsoleStream(sections, STALLED_MS);
    await watch();
    const [response] = responses;
    if (!response) throw new Error("Nobody watches.");
    await fill(response);
    const until = reading(await watch());
    await until('"id":"requests"');
    visit();
    const began = performance.now();
    await vi.waitFor(() => expect(response.destroyed).toBe(true), 10_000);
    expect(performance.now() - began).toBeLessThan(STALLED_MS + 3_000);
    await until(visit());
  });

  it("sends the newest state of each section, and at most one older state, to a browser that reads again", async () => {
    const slow = await watch();
    const first = reading(slow);
    await first('"id":"requests"');
    slow.pause();
    const [response] = responses;
    if (!response) throw new Error("Nobody watches.");
    await fill(response);
    const until = reading(await watch());
    for (let n = 0; n < 4; n++) await until(visit());
    const last = visit();
    await until(last);
    let read = "";
    slow.on("data", (text: string) => (read += text)).resume();
    await vi.waitFor(() => expect(read.includes(last)).toBe(true), 10_000);
    // The state that was on its way, and the newest state.
    expect(read.match(/"id":"visits"/g)?.length).toBe(2);
  });

  it("renders once for all browsers of a region, and only after a change", async () => {
    const render = vi.spyOn(store.activity, "visits");
    const all = [
      await watch(),
      await watch(),
      await watch(),
      await watch("eu"),
    ];
    expect(render).toHaveBeenCalledTimes(2);
    const [first, second, third, other] = all.map(reading);
    await other?.('"id":"requests"');
    const url = visit();
    await Promise.all([first?.(url), second?.(url), third?.(url)]);
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(4));
    // Nothing happens during several polls of each browser.
    const look = vi.spyOn(sections, "now");
    await vi.waitFor(
      () => expect(look.mock.calls.length).toBeGreaterThan(12),
      10_000,
    );
    expect(render).toHaveBeenCalledTimes(4);
  });

  it("ends at once when the service stops, also for browsers that do not read", async () => {
    await watch();
    const [response] = responses;
    if (!response) throw new Error("Nobody watches.");
    await fill(response);
    const until = reading(await watch());
    visit();
    await until("/visit-");
    stream.close();
    await vi.waitFor(() => expect(response.destroyed).toBe(true));
    expect(responses[1]?.writableEnded).toBe(true);
  });
});
