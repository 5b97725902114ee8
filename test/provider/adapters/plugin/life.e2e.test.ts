import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { PluginHost, secret, UNKNOWN_TEXT } from "../../../helpers/plugin-host";

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
