import { exportProgram, select } from "@devid/clone";
import { codeSpan } from "@devid/rules";
import { expect, it } from "vitest";
import { configurationWith, workspaceOf } from "../workspace-of";

const environment = "ae_default";
const RULE = {
  expression: "http.no_such_field",
  action: "deny",
  status: "enabled",
};
type Found = readonly [string, Record<string, unknown>];
const listed = (...all: Found[]) =>
  all.map(([id, outputs]) => ({ id, outputs }));

/** A workspace that the local service would not allow. */
const WORKSPACE = workspaceOf(
  {
    ApiKey: listed(
      ["tok_1", { name: "ab", type: "public", status: "enabled" }],
      ["tok_2", { name: "Agents", type: "agent", status: "enabled" }],
      ["tok_3", { name: "Shop", type: "secret", status: "enabled" }],
    ),
    Webhook: listed(
      [
        "wh_1",
        { url: "https://hooks.example/old", status: "enabled", legacy: true },
      ],
      ["wh_2", { url: "http://127.0.0.1/here", status: "enabled" }],
    ),
    EncryptionKey: listed(
      ["ek_1", { status: "enabled", environment }],
      ["ek_2", { status: "disabled", environment }],
    ),
    FilteringRuleSet: listed([
      environment,
      {
        environment,
        rules: {
          a: { ...RULE, after: "" },
          "a (tr_1)": { ...RULE, after: "a" },
        },
        ruleIds: { a: "tr_0", "a (tr_1)": "tr_1" },
      },
    ]),
  },
  [],
  environment,
);

const program = exportProgram(select(WORKSPACE), configurationWith());
const report = program.files.get("REPORT.md") ?? "";

it("leaves out objects that the provider would refuse, with the reason", () => {
  expect(program.resources).toBe(2);
  const reasons = program.leftOut.map(({ id, reason }) => `${id}: ${reason}`);
  expect(reasons).toEqual([
    expect.stringContaining("tok_1: name: must have at least "),
    expect.stringContaining("wh_1: it delivers the old, version 3 form"),
    expect.stringContaining("wh_2: url: must start with https://"),
    expect.stringContaining("ek_1: its environment has 2 of them"),
    expect.stringContaining("ek_2: its environment has 2 of them"),
    expect.stringContaining("http.no_such_field is not known"),
  ]);
  for (const { id, reason } of program.leftOut) {
    expect(report).toContain(id);
    expect(report).toContain(codeSpan(reason));
  }
});

it("has the reason in code, because texts of the workspace can be in it", () => {
  const expression = "sdk.version == '<img src=x> @team' &&\n&&";
  const rules = { a: { ...RULE, expression, after: "" } };
  const objects = {
    FilteringRuleSet: listed([environment, { environment, rules }]),
  };
  const { files } = exportProgram(
    select(workspaceOf(objects, [], environment)),
    configurationWith(),
  );
  expect(files.get("REPORT.md")).toMatch(
    /^- rule set `Default` \(ae_default\): `[^`\n]+`$/m,
  );
});

it("says how to migrate a legacy webhook, and which rules have equal names", () => {
  expect(report).toContain("declare a `Webhook` with a new address");
  expect(report).toContain("`a` (tr_1) in environment ae_default");
});

it("writes no file for a kind without objects, and no address of the public hosts", () => {
  expect([...program.files.keys()]).not.toContain("webhooks.ts");
  expect(program.files.get("index.ts")).not.toContain("webhooks");
  expect(program.files.get("Pulumi.us.yaml")).toMatch(
    /config:\n {2}devid:region: us\n {2}devid:adopt: byName\n$/,
  );
});
