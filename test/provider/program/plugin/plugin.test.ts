import { writeFileSync } from "node:fs";
import path from "node:path";
import * as dynamic from "@devid/pulumi";
import * as devid from "@devid/pulumi/plugin";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it } from "vitest";
import * as enums from "../../../../provider/src/program/plugin/enums";
import { pluginType } from "../../../../provider/src/definition/engine-names";
import { secret } from "../../../helpers/plugin-host";
import { folderForTests } from "../../../helpers/test-folder";
import { FULL_INPUTS, KINDS } from "../../kind-rows";
import { mocksForTests, valueOf } from "../../pulumi-mocks";

const registered = mocksForTests();
const folder = folderForTests();
beforeEach(() => pulumi.runtime.setAllConfig({}));

it("exports the same names as the package, and the same data sources", () => {
  const constants = Object.keys(enums);
  const all = [...Object.keys(dynamic), ...constants];
  expect(Object.keys(devid).sort()).toEqual(all.sort());
  const sources = all.filter((name) => name.startsWith("get"));
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources)
    expect(Reflect.get(devid, name)).toBe(Reflect.get(dynamic, name));
});

it("exports the constants that the code of `pulumi import` uses", async () => {
  expect(devid.ApiKeyType.Public).toBe("public");
  const key = new devid.ApiKey("shop", {
    name: "Shop",
    type: devid.ApiKeyType.Public,
    status: devid.Status.Enabled,
  });
  expect(await valueOf(key.status)).toBe("enabled");
  expect(devid.RuleAction.Deny).toBe("deny");
  expect(devid.FilteringRuleSetOnDrift.Fail).toBe("fail");
});

describe("resources", () => {
  it.each(KINDS)(
    "%s is registered with its arguments and outputs",
    async (kind) => {
      const Resource = devid[kind] as unknown as new (
        name: string,
        args: object,
      ) => pulumi.CustomResource;
      const resource = new Resource("one", FULL_INPUTS[kind]);
      expect(await valueOf(resource.id)).toBe("one-id");
      expect(registered).toMatchObject([
        { type: pluginType(kind), name: "one", inputs: FULL_INPUTS[kind] },
      ]);
    },
  );

  it("a rule file replaces the list of rules", async () => {
    const rulesFile = path.join(folder, "rules.yaml");
    writeFileSync(
      rulesFile,
      "rules:\n  - name: bots\n    expression: sdk.platform.is_ios\n    action: deny\n",
    );
    const args = { rulesFile, takeOver: true };
    await valueOf(new devid.FilteringRuleSet("shop", args).id);
    expect(registered[0]?.inputs).toMatchObject({
      takeOver: true,
      rules: [{ name: "bots", action: "deny", status: "enabled" }],
    });
    expect(registered[0]?.inputs).not.toHaveProperty("rulesFile");
  });
});

describe("a provider", () => {
  const settings = async (args: dynamic.ProviderArgs) => {
    const provider = new devid.Provider("eu", args);
    await valueOf(provider.urn);
    expect(registered[0]?.type).toBe("pulumi:providers:devid");
    return registered[0]?.inputs;
  };

  it("has its arguments, and the stack's settings for missing arguments", async () => {
    pulumi.runtime.setAllConfig({
      "devid:managementKey": "of-the-stack",
      "devid:endpoint": "http://127.0.0.1:9",
      "devid:requestsPerSecond": "7",
    });
    expect(await settings({ requestsPerSecond: 3 })).toEqual({
      managementKey: secret("of-the-stack"),
      endpoint: "http://127.0.0.1:9",
      requestsPerSecond: "3",
    });
  });

  it("of another region does not use the stack's keys", async () => {
    pulumi.runtime.setAllConfig({
      "devid:managementKey": "of-the-stack",
      "devid:endpoint": "http://127.0.0.1:9",
    });
    expect(await settings({ region: "eu" })).toEqual({
      region: "eu",
      endpoint: "http://127.0.0.1:9",
    });
  });
});
