import {
  ConfigurationError,
  createClient,
  type Client,
  type RequestInfo,
  type RetryPolicy,
  type Timeouts,
} from "@devid/sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../../sdk/src/http/timeouts";
import { randomKeys } from "../../helpers/keys-file";
import { openForTest } from "../../helpers/open-for-tests";
import { proxyServer } from "./proxy-server";
import { QUICK_RETRY, rejection, Workspace } from "../workspace";

let workspace: Workspace;
// With the development keys, the service accepts only loopback names.
beforeEach(async () => {
  workspace = await Workspace.start({ keys: randomKeys() });
});
afterEach(async () => {
  await workspace.close();
});

/** A proxy whose tunnels end at the service. */
const proxied = () =>
  openForTest(proxyServer({ tunnelTo: workspace.service.url }));

let run = 0;

/** A client of a host that no name server knows, in an environment with a proxy. */
function clientBehind(
  env: Record<string, string>,
  options: {
    timeouts?: Partial<Timeouts>;
    retry?: RetryPolicy;
    seen?: RequestInfo[];
  } = {},
  managementUrl = "http://service.invalid/management",
): Client {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"])
    for (const spelling of [name, name.toLowerCase()])
      vi.stubEnv(spelling, env[spelling]);
  return workspace.client(
    {
      allowInsecure: true,
      // Clients with the same timeouts share a pool. Its own timeouts give a run its
      // own pool, which reads the run's environment.
      timeouts: {
        ...DEFAULT_TIMEOUTS,
        bodyTimeoutMs: 20_000 + ++run,
        ...options.timeouts,
      },
      retry: options.retry ?? QUICK_RETRY,
      onRequest: (info) => options.seen?.push(info),
    },
    { managementUrl },
  );
}

describe("a proxy from the environment", () => {
  it.each([
    "127.0.0.1:9",
    "http://user:p@ss#1@proxy.example",
    "http://u:5%ff@a.example",
    "://",
    "3128",
  ])(
    "whose address cannot be used is named, without its password: %s",
    async (address) => {
      const make = () => clientBehind({ HTTP_PROXY: address });
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow("(HTTP_PROXY) cannot be used");
      expect(make).not.toThrow("p@ss");
      expect(await workspace.requests()).toEqual([]);
    },
  );

  it("whose address cannot be used is named, if it was set after the client was made", async () => {
    const client = clientBehind({});
    vi.stubEnv("http_proxy", "http://proxy.example:99999");
    const error = await rejection(client.webhooks.list());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("(http_proxy) cannot be used");
  });

  it.each<Record<string, string>>([
    { HTTPS_PROXY: "127.0.0.1:9" },
    { HTTP_PROXY: "127.0.0.1:9", http_proxy: "PROXY" },
    { HTTP_PROXY: "PROXY", https_proxy: "://" },
    {},
  ])("is used, even if another one cannot be used: %j", async (env) => {
    const proxy = await proxied();
    const { url } = proxy;
    const given = { HTTP_PROXY: url, ...env };
    const client = clientBehind(
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          value.replace("PROXY", () => url),
        ]),
      ),
    );
    // Later calls use the tunnels of the first two.
    for (let n = 0; n < 5; n++)
      expect(await client.webhooks.list()).toEqual({ data: [] });
    expect([...new Set(proxy.asked)]).toEqual(["CONNECT service.invalid:80"]);
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
  });

  it("is not checked for a host of NO_PROXY, nor for a `fetch` of the caller", async () => {
    const env = { HTTP_PROXY: "127.0.0.1:9", NO_PROXY: "invalid" };
    const client = clientBehind(env);
    expect(await rejection(client.webhooks.list())).toMatchObject({
      name: "UnreachableError",
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    });
    vi.stubEnv("NO_PROXY", undefined);
    const options = {
      endpoint: "http://service.invalid",
      ...{ allowInsecure: true, managementKey: "a-key", fetch },
    };
    expect(createClient(options)).toBeDefined();
  });
});

it("a proxy that does not answer does not delay an abort", async () => {
  const proxy = await openForTest(proxyServer({ refuse: 0 }));
  const client = clientBehind({ HTTP_PROXY: proxy.url });
  const controller = new AbortController();
  const call = client.webhooks
    .list({ signal: controller.signal })
    .catch((error: unknown) => error);
  await expect.poll(() => proxy.asked).toHaveLength(1);
  const reason = new Error("changed my mind");
  controller.abort(reason);
  expect(await call).toBe(reason);
});
