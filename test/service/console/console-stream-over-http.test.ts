import { connect } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { addEvents, sendEvents } from "../server-api/event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.controlCall("POST", "/reset"));

describe("the stream of the console over HTTP", () => {
  it("ends when the service stops", async () => {
    const own = await LocalWorkspace.start();
    const stream = await fetch(`${own.service.url}/console/stream?region=eu`);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    if (!stream.body) throw new Error("No stream.");
    const all = text(stream.body);
    const began = performance.now();
    await own.service.close();
    expect(performance.now() - began).toBeLessThan(4_000);
    const sections = [...(await all).matchAll(/^data: (.*)$/gm)].map(
      ([, data = ""]) => (JSON.parse(data) as { id: string }).id,
    );
    expect(sections).toEqual([
      "workspaces",
      "visits",
      "rules",
      "deliveries",
      "requests",
    ]);
  });

  it("sends only changes", async () => {
    const stream = await fetch(`${local.service.url}/console/stream`);
    const reader = stream.body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    let read = "";
    const until = async (wanted: string) => {
      while (!read.includes(wanted)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended before ${wanted}: ${read}`);
        read += value;
      }
    };
    await until('"id":"requests"');
    read = "";
    await addEvents(local, [{ url: "https://new.example/" }]);
    await until("https://new.example/");
    expect(read.match(/"id":"\w+"/g)).toEqual(['"id":"visits"']);
    read = "";
    await sendEvents(local)("GET", "/events");
    await until("/us/v4/events");
    expect(read.match(/"id":"\w+"/g)).toEqual(['"id":"requests"']);
    await reader?.cancel();
  });

  it("reaches other browsers while one browser does not read", async () => {
    const { hostname, port } = new URL(local.service.url);
    const stalled = connect(Number(port), hostname);
    stalled.pause();
    await once(stalled, "connect");
    stalled.write(
      `GET /console/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
    );
    // More bytes than the buffers of a connection hold, in several updates.
    const tags = { filler: "x".repeat(200_000) };
    for (let n = 0; n < 20; n++) await addEvents(local, [{ tags }]);
    const stream = await fetch(`${local.service.url}/console/stream`);
    const reader = stream.body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    for (let n = 0; n < 8; n++) {
      const url = `https://shop.example/${n}`;
      await addEvents(local, [{ url, tags }]);
      for (let read = ""; !read.includes(url);) {
        const { value = "", done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended before ${url}.`);
        // A text that is split between two chunks is found by keeping the end of the
        // first.
        read = read.slice(-url.length) + value;
      }
    }
    expect(stalled.bytesRead).toBeLessThan(20 * 200_000);
    await reader?.cancel();
    stalled.destroy();
  });
});
