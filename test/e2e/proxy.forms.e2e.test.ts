import { afterEach, beforeEach, expect, it } from "vitest";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { FormStack } from "../helpers/form-stack";
import { randomKeys } from "../helpers/keys-file";
import { LocalWorkspace } from "../helpers/local-workspace";
import {
  CERTIFICATE_FILE,
  tlsFront,
  type TlsFront,
} from "../helpers/tls-front";
import { proxyServer, type ProxyServer } from "../sdk/http/proxy-server";
import { declared } from "../helpers/engine-stack";

// The network of a company: no name server knows the service, and one proxy with CONNECT and TLS leads
// outside.

let workspace: LocalWorkspace;
let front: TlsFront;
let proxy: ProxyServer;
let stack: FormStack;

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

it.each(FORMS_OF_TIER)(
  "resources of the %s form are deployed through it",
  async (form) => {
    stack = await FormStack.open(form, settings());
    const args = { url: "https://a.example/hook" };
    stack.declare({ resources: [declared("Webhook", "hook", args)] });
    await stack.engine.up();
    expect(await workspace.list("webhooks")).toMatchObject([args]);
    await stack.engine.destroy();
    expect(await workspace.list("webhooks")).toEqual([]);
    expect(new Set(proxy.asked)).toEqual(
      new Set(["CONNECT service.invalid:443"]),
    );
  },
);
