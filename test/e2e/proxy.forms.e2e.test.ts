import { expect, it } from "vitest";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { FormStack } from "../helpers/form-stack";
import { randomKeys } from "../helpers/keys-file";
import { localForTest } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";
import { CERTIFICATE_FILE, tlsFront } from "../helpers/tls-front";
import { proxyServer } from "../sdk/http/proxy-server";
import { declared } from "../helpers/engine-stack";

// The network of a company: no name server knows the service, and one proxy with CONNECT and TLS leads
// outside.

it.each(FORMS_OF_TIER)(
  "resources of the %s form are deployed through it",
  async (form) => {
    // With the development keys, the service may only be called by loopback names.
    const workspace = await localForTest({ keys: randomKeys() });
    const front = await openForTest(tlsFront(workspace.url));
    const proxy = await openForTest(proxyServer({ tunnelTo: front.url }));
    const stack = await openForTest(
      FormStack.open(form, {
        DEVID_ENDPOINT: "https://service.invalid",
        DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
      }),
    );
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
