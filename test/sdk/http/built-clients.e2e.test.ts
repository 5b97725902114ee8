import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Client, ClientOptions } from "@devid/sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { builtClients } from "../../helpers/built-clients";
import { randomKeys } from "../../helpers/keys-file";
import { openForTest, openForTests } from "../../helpers/open-for-tests";
import { CERTIFICATE_FILE, tlsFront } from "../../helpers/tls-front";
import { QUICK_RETRY, rejection, Workspace } from "../workspace";
import { plainServer, type PlainServer } from "./plain-server";
import { proxyServer } from "./proxy-server";

// A bundle contains only a part of the HTTP library, so everything that a client does
// with it is tested with each bundle.

const run = promisify(execFile);
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap(
  (name) => [name, name.toLowerCase()],
);
const TIMEOUTS = { headersTimeoutMs: 80, bodyTimeoutMs: 80 };

// With the development keys, the service accepts only loopback names.
const workspace = openForTests(new Workspace({ keys: randomKeys() }));
beforeEach(() => workspace.reset());

let pools = 0;

describe.each(builtClients())("the client of $name", ({ file, load }) => {
  const client = (
    options: ClientOptions = {},
    managementUrl = `${workspace.url}/management`,
  ): Client =>
    load()({
      ...workspace.configuration({ managementUrl }),
      retry: QUICK_RETRY,
      ...options,
      // Clients with the same timeouts share a pool. Its own timeouts give a run its
      // own pool, which reads the run's environment.
      timeouts: { attemptTimeoutMs: 60_000 + ++pools, ...options.timeouts },
    });
  const server = (answer: Parameters<typeof plainServer>[0]) =>
    openForTest(plainServer(answer));
  const clientOf = ({ url }: PlainServer, options: ClientOptions = {}) =>
    client(options, url);
  const behind = (env: Record<string, string>) => {
    for (const name of PROXY_VARIABLES) vi.stubEnv(name, env[name]);
    return client({ allowInsecure: true }, "http://service.invalid/management");
  };

  it("uses the proxy of the environment, with one tunnel", async () => {
    const proxy = await openForTest(proxyServer({ tunnelTo: workspace.url }));
    const { webhooks } = behind({ HTTP_PROXY: proxy.url });
    await webhooks.create({ url: "https://a.example" });
    for (let n = 0; n < 3; n++)
      expect((await webhooks.list()).data).toHaveLength(1);
    expect(new Set(proxy.asked)).toEqual(
      new Set(["CONNECT service.invalid:80"]),
    );
  });

  it("reports a proxy that refuses everything", async () => {
    const proxy = await openForTest(proxyServer({ refuse: 407 }));
    const { webhooks } = behind({ HTTP_PROXY: proxy.url });
    const making = webhooks.create({ url: "https://a.example" });
    expect((await rejection(making)).name).toBe("UnreachableError");
    expect(proxy.asked).toEqual(["CONNECT service.invalid:80"]);
  });

  it("skips the proxy for a host of NO_PROXY", async () => {
    const proxy = await openForTest(proxyServer({ refuse: 403 }));
    const { webhooks } = behind({
      HTTP_PROXY: proxy.url,
      NO_PROXY: "service.invalid",
    });
    expect(await rejection(webhooks.list())).toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    });
    expect(proxy.asked).toEqual([]);
  });

  it("uses TLS through the proxy, and without the proxy for loopback and NO_PROXY", async () => {
    const front = await openForTest(tlsFront(workspace.url));
    const proxy = await openForTest(proxyServer({ tunnelTo: front.url }));
    const { managementKey } = workspace.service.workspaces.us;
    const script = `
      const { createClient } = require(${JSON.stringify(file)});
      const [, managementUrl, managementKey] = process.argv;
      const { webhooks } = createClient({ managementUrl, managementKey, requestsPerSecond: 1000 });
      webhooks.create({ url: "https://a.example" })
        .then(() => webhooks.list())
        .then(({ data }) => console.log(data.length));`;
    const said = async (origin: string, env: Record<string, string>) => {
      const args = ["-e", script, `${origin}/management`, managementKey];
      const { stdout } = await run(process.execPath, args, {
        env: {
          ...process.env,
          HTTPS_PROXY: proxy.url,
          NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
          ...env,
        },
      });
      return stdout;
    };
    expect(await said("https://service.invalid", {})).toBe("1\n");
    const asked = [...proxy.asked];
    expect(new Set(asked)).toEqual(new Set(["CONNECT service.invalid:443"]));
    const env = { NO_PROXY: "service.invalid" };
    await expect(said("https://service.invalid", env)).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
    expect(await said(front.url, {})).toBe("2\n");
    expect(proxy.asked).toEqual(asked);
  });

  it("reuses its connection", async () => {
    const plain = await server((_, response) => response.end('{"data":[]}'));
    const { webhooks } = clientOf(plain);
    for (let n = 0; n < 8; n++) await webhooks.list();
    expect(plain.received).toHaveLength(8);
    // The first connection may still be busy when the second call begins.
    expect(plain.connections()).toBeLessThanOrEqual(2);
  });

  it("stops an aborted call", async () => {
    const plain = await server(() => undefined);
    const controller = new AbortController();
    const { signal } = controller;
    const call = rejection(clientOf(plain).webhooks.list({ signal }));
    await expect.poll(() => plain.received).toHaveLength(1);
    const reason = new Error("changed my mind");
    controller.abort(reason);
    expect(await call).toBe(reason);
  });

  it("stops waiting for an answer that does not begin or does not end", async () => {
    const plain = await server(({ path }, response) => {
      if (path.includes("begins")) response.write('{"data":');
    });
    const retry = { maxAttempts: 1 };
    const { webhooks } = clientOf(plain, { timeouts: TIMEOUTS, retry });
    const calls = ["hangs", "begins"].map((id) => rejection(webhooks.get(id)));
    expect(await Promise.all(calls)).toMatchObject([
      { code: "UND_ERR_HEADERS_TIMEOUT" },
      { code: "UND_ERR_BODY_TIMEOUT" },
    ]);
  });

  it("reads a compressed answer", async () => {
    const plain = await server((_, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync('{"data":[]}'));
    });
    expect(await clientOf(plain).webhooks.list()).toEqual({ data: [] });
    expect(plain.received[0]?.headers["accept-encoding"]).toContain("gzip");
  });

  it("repeats a call whose connection was cut", async () => {
    await workspace.fault({ match: {}, times: 1, then: "reset" });
    expect((await client().webhooks.list()).data).toEqual([]);
    expect(await workspace.requests()).toHaveLength(2);
  });
});
