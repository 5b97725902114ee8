import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import {
  PluginHost,
  revealed,
  secret,
  UNKNOWN_TEXT,
} from "../../../helpers/plugin-host";

let workspace: LocalWorkspace;
let plugin: PluginHost;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  plugin = await PluginHost.start({
    endpoint: workspace.url,
    managementKey: secret(workspace.service.workspaces.us.managementKey),
    secretKey: secret(workspace.service.workspaces.us.secretKey),
    requestsPerSecond: 1000,
  });
});
afterAll(async () => {
  await plugin.stop();
  await workspace.close();
});
beforeEach(() => workspace.reset());

const HOOK = { url: "https://shop.example/hook" };

describe("a rule file", () => {
  const SIGNATURE = "4dabf18193072939515e22adb298388d";
  const asset = (fields: object) => ({
    [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17",
    hash: "0",
    ...fields,
  });
  const text =
    "rules: [{ name: bots, expression: http.user_agent.is_crawler_bot, action: deny }]";

  it("is passed as an asset, and becomes rules", async () => {
    const { inputs, failures } = await plugin.check("FilteringRuleSet", {
      rulesFile: asset({ text }),
    });
    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty("rulesFile");
    expect(inputs.rules).toMatchObject({ bots: { action: "deny" } });
  });

  it("with a mistake is refused, and the error names the place", async () => {
    const { failures } = await plugin.check("FilteringRuleSet", {
      rulesFile: asset({ text: text.replace("deny", "block") }),
    });
    expect(failures).toEqual([
      {
        property: "rulesFile",
        reason: expect.stringContaining(
          "rulesFile:1:75 rules[0].action: must be one of allow, deny",
        ) as string,
      },
    ]);
  });

  it("that is still unknown does not fail a preview", async () => {
    const unknownAsset = "030794c1-ac77-496b-92df-f27374a8bd58";
    for (const rulesFile of [UNKNOWN_TEXT, unknownAsset]) {
      const { inputs, failures } = await plugin.check("FilteringRuleSet", {
        rulesFile,
      });
      expect(failures).toEqual([]);
      expect(inputs.rules).toBe(UNKNOWN_TEXT);
      const planned = await plugin.create("FilteringRuleSet", inputs, true);
      expect(planned.properties.rules).toBe(UNKNOWN_TEXT);
    }
  });
});

describe("a webhook", () => {
  it("is created, read, compared, updated and deleted", async () => {
    const { inputs, failures } = await plugin.check("Webhook", HOOK);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ ...HOOK, status: "enabled" });
    const { id, properties: state } = await plugin.create("Webhook", inputs);
    expect(state.signingKey).toEqual(secret(expect.stringMatching(/./)));
    expect(await plugin.diff("Webhook", id, state, inputs)).toEqual({
      changes: false,
      replaces: [],
      properties: {},
      deleteBeforeReplace: false,
    });
    const next = (
      await plugin.check("Webhook", { ...HOOK, description: "Orders" }, inputs)
    ).inputs;
    expect(await plugin.diff("Webhook", id, state, next)).toMatchObject({
      changes: true,
      properties: { description: "add" },
    });
    const updated = await plugin.update("Webhook", id, state, next);
    expect(updated).toMatchObject({
      description: "Orders",
      signingKey: state.signingKey,
    });
    expect(await plugin.read("Webhook", id, updated)).toMatchObject({
      id,
      inputs: next,
      properties: updated,
    });
    await plugin.delete("Webhook", id, updated);
    await plugin.delete("Webhook", id, updated);
    expect((await plugin.read("Webhook", id, updated)).id).toBe("");
  });

  it("is previewed with unknown outputs", async () => {
    const { inputs } = await plugin.check("Webhook", {
      url: UNKNOWN_TEXT,
      status: "disabled",
    });
    const planned = await plugin.create("Webhook", inputs, true);
    expect(planned).toMatchObject({
      id: "",
      properties: {
        url: UNKNOWN_TEXT,
        status: "disabled",
        signingKey: UNKNOWN_TEXT,
      },
    });
    expect(await workspace.list("webhooks")).toEqual([]);
  });

  it("is read by its ID alone, and the read returns the inputs that a program would declare", async () => {
    const made = (await workspace.call("POST", "/webhooks", {
      ...HOOK,
    })) as { id: string };
    const { id, inputs, properties } = await plugin.read("Webhook", made.id);
    expect(id).toBe(made.id);
    expect(inputs).toEqual(HOOK);
    const { inputs: checked } = await plugin.check("Webhook", inputs, inputs);
    expect(await plugin.diff("Webhook", id, properties, checked)).toMatchObject(
      { changes: false },
    );
  });
});

describe("a rule set", () => {
  const rule = (name: string) => ({
    name,
    expression: `sdk.version == "1.2.3"`,
    action: "deny",
  });

  it("shows an inserted rule as one addition", async () => {
    const checked = async (names: string[], olds = {}) => {
      const rules = names.map(rule);
      const found = await plugin.check("FilteringRuleSet", { rules }, olds);
      expect(found.failures).toEqual([]);
      return found.inputs;
    };
    const inputs = await checked(["a", "b", "c d"]);
    const { id, properties } = await plugin.create("FilteringRuleSet", inputs);
    const compared = async (names: string[]) =>
      (
        await plugin.diff(
          "FilteringRuleSet",
          id,
          properties,
          await checked(names, inputs),
        )
      ).properties;
    expect(await compared(["a", "new", "b", "c d"])).toEqual({
      "rules.new": "add",
    });
    expect(await compared(["a", "c d"])).toEqual({ "rules.b": "delete" });
    expect(await compared(["new one", "a", "b", "c d"])).toEqual({
      'rules["new one"]': "add",
    });
    expect(await compared(["b", "a", "c d"])).toEqual({
      "rules.a.after": "update",
      "rules.b.after": "update",
      'rules["c d"].after': "update",
    });
    const read = await plugin.read("FilteringRuleSet", id);
    expect(revealed(read.inputs.rules)).toMatchObject([
      { name: "a" },
      { name: "b" },
      { name: "c d" },
    ]);
  });
});

it("data sources return objects with their secrets marked", async () => {
  const { result } = await plugin.invoke("getEncryptionKeys");
  expect(result.encryptionKeys).toMatchObject([
    { token: secret(expect.stringMatching(/./)) },
  ]);
  const { failures } = await plugin.invoke("getApiKey", { id: "a", name: "b" });
  expect(failures).toMatchObject([
    { reason: expect.stringContaining("exactly one") as string },
  ]);
});
