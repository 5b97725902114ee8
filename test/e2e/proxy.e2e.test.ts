import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { randomKeys } from "../helpers/keys-file";
import { LocalWorkspace } from "../helpers/local-workspace";
import {
  CERTIFICATE_FILE,
  tlsFront,
  type TlsFront,
} from "../helpers/tls-front";
import { proxyServer, type ProxyServer } from "../sdk/http/proxy-server";

// The network of a company: no name server knows the service, and one proxy with CONNECT and TLS leads
// outside.

let workspace: LocalWorkspace;
let front: TlsFront;
let proxy: ProxyServer;
let stack: EngineStack;

beforeEach(async () => {
  // With the development keys, the service may only be called by loopback names.
  workspace = await LocalWorkspace.start({ keys: randomKeys() });
  front = await tlsFront(workspace.url);
  proxy = await proxyServer({ tunnelTo: front.url });
});

afterEach(async () => {
  stack.close();
  await proxy.close();
  await front.close();
  await workspace.close();
});

const settings = () => ({
  DEVID_ENDPOINT: "https://service.invalid",
  DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  HTTPS_PROXY: proxy.url,
  NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
});

async function upAndDestroyed(): Promise<void> {
  await stack.up();
  expect(await workspace.list("webhooks")).toMatchObject([
    { url: "https://a.example/hook" },
  ]);
  await stack.destroy();
  expect(await workspace.list("webhooks")).toEqual([]);
  expect(new Set(proxy.asked)).toEqual(
    new Set(["CONNECT service.invalid:443"]),
  );
}

it("dynamic resources are deployed through it", async () => {
  stack = await EngineStack.open(settings());
  const args = { url: "https://a.example/hook" };
  stack.declare([{ kind: "Webhook", as: "hook", args }]);
  await upAndDestroyed();
});

it("resources of the plugin are deployed through it", async () => {
  const host = await findLanguageHost("yaml", await findEngine());
  const folder = mkdtempSync(join(tmpdir(), "devid-proxy-"));
  const program = {
    name: "proxied",
    runtime: "yaml",
    plugins: {
      providers: [{ name: "devid", path: join(TESTS, "../provider/bin") }],
    },
    resources: {
      hook: {
        type: "devid:Webhook",
        properties: { url: "https://a.example/hook" },
      },
    },
  };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(program));
  const PATH = [dirname(host), process.env.PATH].join(delimiter);
  stack = await EngineStack.open({ ...settings(), PATH }, folder);
  rmSync(folder, { recursive: true });
  await upAndDestroyed();
});
