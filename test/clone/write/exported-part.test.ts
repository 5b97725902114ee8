import {
  CLONE_KINDS,
  exportProgram,
  select,
  type SelectionOptions,
} from "@devid/clone";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of";
import {
  isSamePart,
  partOf,
  projectName,
} from "../../../clone/src/write/exported-part";
import { configurationWith, workspaceOf } from "../workspace-of";

const WORKSPACE = workspaceOf({}, [{ id: "ae_2", name: "Staging" }]);
const part = (options: SelectionOptions) => partOf(select(WORKSPACE, options));

/** The options of an export, and the name of its project. */
const PROJECTS = `
{} | devid-workspace
{environment: Staging} | devid-environment-staging-DIGEST
{include: [rules, api-keys]} | devid-workspace-only-api-keys-rules
{include: ["webhooks:*in*", api-keys]} | devid-workspace-only-api-keys-webhooks-any-in-any-DIGEST
{exclude: [webhooks]} | devid-workspace-without-webhooks
{include: ["*:shop-*"]} | devid-workspace-only-any-shop-any-DIGEST
{include: ["*:*shop?"]} | devid-workspace-only-any-any-shop-one-DIGEST
{environment: ae_2, include: ["webhooks:https://a.example/*"]} | devid-environment-staging-only-webhooks-https-a-example-any-DIGEST
{include: ["*:${"x".repeat(200)}"]} | devid-workspace-only-any-${"x".repeat(66)}-DIGEST
`;

it.each(cellsOf(PROJECTS))(
  "the export of %s is the project %s",
  (text = "", project) => {
    const options = parse(text) as SelectionOptions;
    expect(
      projectName(part(options), "staging").replace(/-[0-9a-f]{8}$/, "-DIGEST"),
    ).toBe(project);
  },
);

it("gives no two exports the same project", () => {
  const names = [
    ...["shop-*", "shop_*", "shop any", "магазин*", "商店*"],
    ...["x".repeat(200), "x".repeat(201)],
  ];
  const environments = [
    ...["Shop", "shop", "Shop !", "Shop ?", "Магазин", "商店"],
    ...["Twin", "Twin"],
  ].map((name, n) => ({ id: `ae_${n}`, name }));
  const parts = [
    ...names.map((name) => ({
      part: part({ include: [`*:${name}`] }),
      resource: "",
    })),
    ...environments.flatMap((environment) =>
      [undefined, ["webhooks"], ["webhooks:shop*"]].map((include) => ({
        part: { ...part({ include }), environment },
        resource: environment.name,
      })),
    ),
  ];
  const projects = parts.map(({ part, resource }) =>
    projectName(part, resource),
  );
  expect(new Set(projects).size).toBe(parts.length);
  for (const project of projects) expect(project).toMatch(/^[a-z0-9-]{1,100}$/);
});

it("writes no file with the name of a Windows device", () => {
  const rule = {
    expression: "sdk.platform.is_ios",
    action: "deny",
    status: "enabled",
    after: "",
  };
  const outputs = {
    environment: "ae_2",
    rules: { a: rule },
    ruleIds: { a: "tr_0" },
  };
  const workspace = workspaceOf(
    { FilteringRuleSet: [{ id: "ae_2", outputs }] },
    [{ id: "ae_2", name: "CON" }],
  );
  const { files } = exportProgram(select(workspace), configurationWith());
  expect([...files.keys()]).toContain("rules/_con.yaml");
  expect(files.get("rule-sets.ts")).toContain('rulesFile: "rules/_con.yaml"');
});

it("treats all kinds as no choice, and an ID and a name as the same environment", () => {
  const include = CLONE_KINDS.toReversed();
  expect(part({ include })).toEqual(part({}));
  expect(part({ environment: "ae_2" })).toEqual(
    part({ environment: "Staging" }),
  );
  expect(isSamePart(part({}), part({ include: ["*:*"] }))).toBe(false);
});
