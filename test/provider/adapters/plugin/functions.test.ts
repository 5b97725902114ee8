import { describe, expect, it } from "vitest";
import * as functions from "../../../../provider/src/functions";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { openForTests } from "../../../helpers/open-for-tests";
import { PluginHost, secret } from "../../../helpers/plugin-host";
import { pluginSettingsOf } from "../../settings-of";

const workspace = sharedForTests();
let plugin: PluginHost;

openForTests({
  async open() {
    const { secretKey } = workspace.service.workspaces.us;
    plugin = await PluginHost.start({
      ...pluginSettingsOf(workspace),
      secretKey: secret(secretKey),
    });
  },
  close: () => plugin.stop(),
});

const key = (name: string) =>
  workspace.make("/api-keys", { name, type: "public" });

describe("a data source", () => {
  it.each(Object.keys(functions))(
    "%s refuses an argument that it does not know, by its name",
    async (name) => {
      const { failures } = await plugin.invoke(name, { wobble: "a" });
      expect(JSON.stringify(failures)).toMatch(/wobble|exactly one/);
    },
  );

  it("returns a list in a field named after its items, and a single object without a wrapper", async () => {
    const { id } = await key("Listed");
    const { result: list } = await plugin.invoke("getApiKeys");
    expect(list.apiKeys).toContainEqual(expect.objectContaining({ id }));
    const { result } = await plugin.invoke("getApiKey", { id });
    expect(result).toMatchObject({ id, token: secret(expect.anything()) });
    expect(result).not.toHaveProperty("description");
  });

  it("returns events with the service's own field names", async () => {
    const tag = { order: "4711" };
    const [event] = (await workspace.control("/us/events", [
      { tags: tag },
    ])) as [{ event_id: string }];
    const { result } = await plugin.invoke("getEvent", {
      eventId: event.event_id,
    });
    expect(result).toMatchObject({ event_id: event.event_id });
  });

  it("returns a secret for a secret argument, and does not quote the argument", async () => {
    await key("Hidden name");
    const { result } = await plugin.invoke("getApiKey", {
      name: secret("Hidden name"),
    });
    expect(result.id).toEqual(secret(expect.stringMatching(/^tok_/)));
    const missing = plugin.invoke("getApiKey", { name: secret("canary-4711") });
    await expect(missing).rejects.toThrow(/There is no API key/);
    await expect(missing).rejects.not.toThrow(/canary-4711/);
  });
});
