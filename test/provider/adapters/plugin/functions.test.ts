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

describe("a data source", () => {
  it.each(Object.keys(functions))(
    "%s refuses an argument that it does not know, by its name",
    async (name) => {
      const { failures } = await plugin.invoke(name, { wobble: "a" });
      expect(JSON.stringify(failures)).toMatch(/wobble|exactly one/);
    },
  );

  it("returns an object without a wrapper and without nulls", async () => {
    const { result } = await plugin.invoke("getEnvironment", { default: true });
    expect(result).toMatchObject({
      id: workspace.service.workspaces.us.environment,
    });
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
    const { result } = await plugin.invoke("getEnvironment", {
      name: secret("Default"),
    });
    expect(result.id).toEqual(
      secret(workspace.service.workspaces.us.environment),
    );
    const missing = plugin.invoke("getEnvironment", {
      name: secret("canary-4711"),
    });
    await expect(missing).rejects.toThrow(/There is no environment/);
    await expect(missing).rejects.not.toThrow(/canary-4711/);
  });
});
