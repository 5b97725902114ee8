import type { ServiceOptions } from "@devid/service";
import { describe, expect, it } from "vitest";
import { localForTest } from "../../helpers/local-for-tests.js";
import { randomKeys } from "../../helpers/keys-file.js";
import { assertDocumented } from "../documented.js";
import { sendRaw } from "../raw-request.js";

const keys = randomKeys();

/**
 * A service, and a function that calls it with any Host header, which fetch cannot
 * send.
 */
async function start(options: ServiceOptions = {}) {
  const { url } = await localForTest(options);
  const { port, origin } = new URL(url);
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string | undefined>,
  ) => {
    const answer = await sendRaw(url, { method, path, headers });
    await assertDocumented(new URL(path, origin), method, undefined, answer);
    return answer;
  };
  const reset = async (headers: Record<string, string>) => {
    const authorization = options.keys && `Bearer ${keys.controlKey}`;
    const all = { authorization, ...headers };
    return (await send("POST", "/_local/reset", all)).status;
  };
  return { send, reset, port };
}

describe("a control call from a web page", () => {
  it.each([
    ["localhost:443", "https://localhost", 204],
    ["localhost", "https://localhost:443", 204],
    ["localhost:80", "http://localhost", 204],
    ["[::1]:443", "https://[::1]", 204],
    ["localhost:443", "http://localhost", 403],
    ["localhost:80", "https://localhost", 403],
    ["localhost:443", "https://localhost:8443", 403],
    ["localhost:443", "https://localhost.shop.example", 403],
  ])(
    "behind a proxy that sends the host %s with the origin %s is answered %i",
    async (host, origin, status) => {
      const { reset } = await start();
      expect(await reset({ host, origin })).toBe(status);
    },
  );

  it.each(["null", "http://localhost:1", "http://127.0.0.1", "http://shop"])(
    "is refused from the origin %s",
    async (origin) => {
      const { reset } = await start();
      expect(await reset({ origin })).toBe(403);
    },
  );

  it.each([
    "shop.example",
    "127.0.0.1.shop.example",
    "localhost.shop.example",
    "127.0.0.1@shop.example",
    "192.0.2.7",
    "",
  ])(
    "is refused with the host %j, because DNS may rebind that name",
    async (host) => {
      const { port, reset } = await start();
      const at = `${host}:${port}`;
      expect(await reset({ host: at })).toBe(403);
      expect(await reset({ host: at, origin: `http://${at}` })).toBe(403);
    },
  );

  it("is refused even with the control key", async () => {
    const { reset } = await start({ keys });
    expect(await reset({ origin: "https://shop.example" })).toBe(403);
    expect(await reset({ host: "shop.example" })).toBe(403);
    expect(await reset({})).toBe(204);
  });
});

describe("a request with a host that DNS may rebind", () => {
  const host = "shop.example";
  it("is accepted with a keys file", async () => {
    const { send } = await start({ keys });
    const authorization = `Bearer ${keys.workspaces.us.managementKey}`;
    const headers = { host, authorization, "x-api-version": "2025-11-20" };
    const { status } = await send("GET", "/management/webhooks", headers);
    expect(status).toBe(200);
  });
});

describe("a control call", () => {
  it.each(["127.0.0.1", "127.8.9.1", "localhost", "LOCALHOST", "[::1]"])(
    "is accepted with the loopback host %s, also from its own origin",
    async (host) => {
      const { port, reset } = await start();
      const at = `${host}:${port}`;
      expect(await reset({ host })).toBe(204);
      expect(await reset({ host: at })).toBe(204);
      expect(await reset({ host: at, origin: `http://${at}` })).toBe(204);
      // Behind a proxy that ends TLS.
      expect(await reset({ host: at, origin: `https://${at}` })).toBe(204);
    },
  );

  it("is accepted with any host if the service listens on every address", async () => {
    const { reset } = await start({ host: "0.0.0.0", keys });
    const host = "devid:8787";
    expect(await reset({ host })).toBe(204);
    expect(await reset({ host, origin: "https://shop.example" })).toBe(403);
  });
});
