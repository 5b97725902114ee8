import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { struct, type HostError } from "../../../helpers/protocol-provider";
import type { Properties } from "../../../simulation/engine/property-value";
import { localForTests } from "../../../helpers/local-for-tests";
import {
  answer,
  differenceOf,
  plain,
} from "../../../helpers/protocol-provider";
import { PluginHost, secret, UNKNOWN_TEXT } from "../../../helpers/plugin-host";
import { pluginSettingsOf } from "../../settings-of";

const workspace = localForTests();
let plugin: PluginHost;

beforeAll(async () => {
  plugin = await PluginHost.start(pluginSettingsOf(workspace));
});
afterAll(() => plugin.stop());

describe("before any resource", () => {
  it("the plugin shakes hands, and reports its version", async () => {
    const request = new proto.ProviderHandshakeRequest().setEngineAddress(
      "127.0.0.1:9",
    );
    const shaken = await answer<proto.ProviderHandshakeResponse>((done) =>
      plugin.client.handshake(request, done),
    );
    expect(shaken.toObject()).toEqual({
      acceptSecrets: true,
      acceptResources: true,
      acceptOutputs: true,
      supportsAutonamingConfiguration: false,
    });
    const info = await answer<PluginInfo>((done) =>
      plugin.client.getPluginInfo(new Empty(), done),
    );
    expect(info.getVersion()).toMatch(/^\d+\.\d+\.\d+$/);
    const attach = new PluginAttach().setAddress("127.0.0.1:9");
    await answer((done) => plugin.client.attach(attach, done));
  });

  it("each setting of a provider is checked, and a failure names its setting", async () => {
    const check = async (settings: Properties, name = "eu") => {
      const request = new proto.CheckRequest()
        .setName(name)
        .setNews(struct(settings));
      const checked = await answer<proto.CheckResponse>((done) =>
        plugin.client.checkConfig(request, done),
      );
      const failures = checked
        .getFailuresList()
        .map((one) => `${one.getProperty()}: ${one.getReason()}`);
      return { inputs: plain(checked.getInputs()), failures };
    };
    const good = {
      region: "eu",
      endpoint: "http://127.0.0.1:9",
      requestsPerSecond: 7,
      eventsRequestsPerSecond: "off",
      // The SDK for Go sends a boolean; stack config is text.
      allowInsecure: false,
      managementUrl: UNKNOWN_TEXT,
      version: "0.1.0",
    };
    expect(await check({ ...good, managementKey: "k" })).toEqual({
      inputs: { ...good, managementKey: secret("k") },
      failures: [],
    });
    const bad = {
      region: "mars",
      drnUrl: "nowhere",
      requestsPerSecond: "-1",
      apiVersion: ["2025"],
      regoin: "eu",
    };
    expect((await check(bad)).failures).toEqual([
      expect.stringMatching(
        /^: apiVersion: must be a text, a number, true or false/,
      ),
      expect.stringMatching(/^drnUrl: .*"?nowhere/),
      expect.stringMatching(/^region: "mars".*us, eu, ap/),
      expect.stringMatching(
        /^regoin: is not a setting of devid; the settings are/,
      ),
      expect.stringMatching(/^requestsPerSecond: .*above 0/),
    ]);
    expect((await check({ regoin: "eu" }, "default_0_1_0")).failures).toEqual(
      [],
    );
  });

  it("another region does not replace a provider, so its resources are not replaced either", async () => {
    const request = new proto.DiffRequest()
      .setOldInputs(struct({ region: "us", endpoint: "http://127.0.0.1:1" }))
      .setNews(struct({ region: "eu", managementKey: UNKNOWN_TEXT }));
    const found = await answer<proto.DiffResponse>((done) =>
      plugin.client.diffConfig(request, done),
    );
    expect(differenceOf(found)).toEqual({
      changes: true,
      replaces: [],
      properties: {
        region: "update",
        managementKey: "add",
        endpoint: "delete",
      },
    });
  });

  it("a missing key is reported with the places where devid looked for it", async () => {
    const other = await PluginHost.start();
    try {
      const early = other.check("Webhook", {});
      await expect(early).rejects.toThrow("Configure first");
      await other.configure({ region: "eu" }, "shop-eu");
      const { failures } = await other.check("Webhook", {
        url: "https://shop.example/hook",
      });
      expect(failures).toMatchObject([
        {
          reason: expect.stringMatching(
            /region eu[^]*argument managementKey of the provider shop-eu[^]*DEVID_MANAGEMENT_KEY_EU/,
          ) as string,
        },
      ]);
      const wrong = other.configure({ region: "mars" });
      await expect(wrong).rejects.toThrow(
        '"mars" (stack config devid:region, which pulumi refresh and pulumi destroy read only with --run-program) is not a region',
      );
    } finally {
      await other.stop();
    }
  });

  it("the plugin returns no mappings, and refuses calls and types that it does not have", async () => {
    const mapping = await answer<proto.GetMappingResponse>((done) =>
      plugin.client.getMapping(new proto.GetMappingRequest(), done),
    );
    expect(mapping.getProvider()).toBe("");
    const mappings = await answer<proto.GetMappingsResponse>((done) =>
      plugin.client.getMappings(new proto.GetMappingsRequest(), done),
    );
    expect(mappings.getProvidersList()).toEqual([]);
    const call = answer((done) =>
      plugin.client.call(new proto.CallRequest(), done),
    );
    await expect(call).rejects.toThrow("devid has no methods.");
    await expect(plugin.check("Wobhook", {})).rejects.toThrow(
      /no resource of the type devid:index:Wobhook; it has .*devid:index:Webhook/,
    );
    await expect(plugin.invoke("getWobhook")).rejects.toThrow(
      /no data source devid:index:getWobhook; it has .*devid:index:getEvent/,
    );
  });
});

it("an engine that does not keep secrets is refused with the advice to upgrade", async () => {
  const request = new proto.ConfigureRequest().setArgs(struct({}));
  const old = answer((done) => plugin.client.configure(request, done));
  await expect(old).rejects.toThrow(/upgrade Pulumi to 3\.200 or later/);
});

it("a failure of a check names its property, unless the engine would then print a secret or a page of text", async () => {
  const check = (news: Properties) =>
    answer<proto.CheckResponse>((done) =>
      plugin.client.check(
        new proto.CheckRequest()
          .setType("devid:index:ApiKey")
          .setNews(struct(news)),
        done,
      ),
    ).then((checked) =>
      checked
        .getFailuresList()
        .map((one) => [one.getProperty(), one.getReason()]),
    );
  const [name, adopt] = await check({
    type: "public",
    name: "ab",
    adopt: { nmae: "Shop" },
  });
  expect(name).toEqual(["name", expect.stringMatching(/3/)]);
  expect(adopt).toEqual(["", expect.stringMatching(/^adopt/)]);
  const [hidden] = await check({ type: "public", name: secret("ab") });
  expect(hidden).toEqual(["", expect.stringMatching(/^name: .*3/)]);
});

describe("secrets of the program", () => {
  const hook = {
    url: "https://shop.example/hook",
    description: secret("canary-4711"),
  };

  it("stay secret in an object that was created but not finished", async () => {
    await workspace.fault({
      match: { method: "PATCH" },
      then: {
        status: 400,
        body: {
          error: { code: "validation_error", message: "not canary-4711" },
        },
      },
    });
    const { inputs } = await plugin.check("ApiKey", {
      name: "Shop",
      type: "public",
      description: hook.description,
      rateLimit: 7,
    });
    const failed = await plugin
      .create("ApiKey", inputs)
      .catch((error: HostError) => error);
    await workspace.forgetFaults();
    const { message, kept } = failed as HostError;
    const [key] = await workspace
      .list("api-keys")
      .then((keys) => keys.filter(({ name }) => name === "Shop"));
    expect(kept).toMatchObject({
      id: key?.id,
      properties: {
        name: "Shop",
        description: hook.description,
        token: secret(expect.stringMatching(/./)),
      },
      reasons: [message],
    });
    expect(message).toContain("not [redacted]");
    const { id = "", properties = {} } = kept ?? {};
    const again = await plugin.update("ApiKey", id, properties, inputs);
    expect(again).toMatchObject({ rateLimit: 7, token: properties.token });
  });
});

it("a cancelled plugin refuses further reads and writes, and lets a running create finish", async () => {
  const other = await PluginHost.start(pluginSettingsOf(workspace));
  try {
    const hook = { url: "https://shop.example/hook" };
    const { inputs } = await other.check("Webhook", hook);
    await workspace.fault({
      match: { method: "POST" },
      then: { delayMs: 300 },
    });
    const slow = other.create("Webhook", inputs);
    await expect.poll(() => workspace.requests()).toContain("POST /webhooks 0");
    await other.cancel();
    const { id } = await slow;
    expect(await workspace.list("webhooks")).toMatchObject([{ id, ...hook }]);
    const read = other.read("Webhook", id);
    await expect(read).rejects.toThrow("The update was cancelled.");
  } finally {
    await workspace.forgetFaults();
    await other.stop();
  }
});

it("a cancelled plugin stops waiting for a verification", async () => {
  const other = await PluginHost.start(pluginSettingsOf(workspace));
  try {
    // No server listens there.
    const url = "http://127.0.0.1:9/hook";
    const { id: webhookId } = await workspace.make("/webhooks", { url });
    const verification = { webhookId, url };
    const { inputs } = await other.check("WebhookVerification", verification);
    const waiting = other
      .create("WebhookVerification", inputs)
      .catch((error: HostError) => error);
    await expect
      .poll(async () => (await workspace.requests()).join("\n"))
      .toMatch(/verification 20/);
    await other.cancel();
    expect(await waiting).toMatchObject({
      message: "The update was cancelled.",
      kept: undefined,
    });
  } finally {
    await other.stop();
  }
});
