import { writeFileSync } from "node:fs";
import path from "node:path";
import * as dynamic from "@devid/pulumi";
import * as devid from "@devid/pulumi/plugin";
import { expect, it } from "vitest";
import * as enums from "../../../../provider/src/program/plugin/enums";
import { folderForTests } from "../../../helpers/test-folder";
import { mocksForTests, valueOf } from "../../pulumi-mocks";

const registered = mocksForTests();
const folder = folderForTests();

it("exports the same names as the package, and the same data sources", () => {
  const constants = Object.keys(enums);
  const all = [...Object.keys(dynamic), ...constants];
  expect(Object.keys(devid).sort()).toEqual(all.sort());
  const sources = all.filter((name) => name.startsWith("get"));
  expect(sources.length).toBe(8);
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
