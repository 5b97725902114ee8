import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openForTests } from "../../helpers/open-for-tests.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";

const local = openForTests(new LocalWorkspace());

/** Sends these header lines unchanged, and returns the status line and the body. */
async function send(target: string, ...headers: string[]): Promise<string> {
  const { hostname, port } = new URL(local.service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const lines = [`GET ${target} HTTP/1.1`, ...headers, "Connection: close"];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return text(socket);
}

const KEY = [
  "Authorization: Bearer local-management-us",
  "X-API-Version: 2025-11-20",
];
const OWN = "Host: 127.0.0.1";

it("a request with two Host headers is refused in any order", async () => {
  for (const hosts of [
    [OWN, "Host: evil.example"],
    ["Host: evil.example", OWN],
    [OWN, OWN],
  ])
    expect(await send("/management/webhooks", ...hosts, ...KEY)).toMatch(
      /^HTTP\/1.1 400 .*"malformed_request".*several headers Host/s,
    );
});

it("a target that is a URL of another host is refused on every surface", async () => {
  for (const path of [
    "/management/webhooks",
    "/_local/requests",
    "/us/v4/events",
    "/",
    "/openapi.json",
    "/none",
  ])
    for (const scheme of ["http", "https", "HTTP", "ftp"])
      for (const host of ["evil.example", "127.0.0.1:1", "x@127.0.0.1"]) {
        const answer = await send(`${scheme}://${host}${path}`, OWN, ...KEY);
        expect(answer, host + path).toMatch(/^HTTP\/1.1 40[04] /);
        expect(answer).not.toMatch(/"data"|<html/);
      }
});

it("a target that is a URL of the service's own host is accepted, and logged by its path", async () => {
  const answer = await send(
    "http://127.0.0.1/management/webhooks?limit=1",
    OWN,
    ...KEY,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  const log = (await local.controlCall("GET", "/requests")).body as {
    path: string;
  }[];
  expect(log.at(-1)?.path).toBe("/management/webhooks");
});
