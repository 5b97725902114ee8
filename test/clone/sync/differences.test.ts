import {
  applyDifferences,
  DifferencesError,
  readDifferences,
  type Workspace,
} from "@devid/clone";
import { parseExpression, replaceInLiterals } from "@devid/rules/language";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const defaultEnvironment = { id: "ae_1", name: "Default" };
const WORKSPACE: Workspace = {
  region: "us",
  environments: [defaultEnvironment, { id: "ae_2", name: "Staging" }],
  defaultEnvironment,
  objects: {
    Environment: [{ id: "ae_2", outputs: { name: "Staging" } }],
    ApiKey: [
      {
        id: "tok_1",
        outputs: { name: "Shop server", type: "secret", status: "enabled" },
      },
      {
        id: "tok_2",
        outputs: { name: "internal", type: "secret", status: "enabled" },
      },
    ],
    Webhook: [
      {
        id: "wh_1",
        outputs: { url: "https://shop.example/hook", status: "enabled" },
      },
    ],
    FilteringRuleSet: [
      {
        id: "ae_1",
        outputs: {
          environment: "ae_1",
          rules: {
            a: {
              expression: `http.request.headers["Origin"][0] matches '^https://shop\\\\.example$'`,
              action: "allow",
              status: "enabled",
              after: "",
            },
          },
          ruleIds: { a: "tr_1" },
        },
      },
    ],
  },
  unread: [],
};

const applied = (differences: unknown) =>
  applyDifferences(
    WORKSPACE,
    readDifferences({ eu: differences }, "eu", "d.yaml"),
  );
const outputs = ({ workspace }: ReturnType<typeof applied>, kind: string) =>
  (workspace.objects[kind] ?? []).map((one) => one.outputs);

it("changes nothing when the file has no entry for the target", () => {
  const { workspace, values, unused } = applyDifferences(
    WORKSPACE,
    readDifferences({ ap: { exclude: ["*"] } }, "eu", "d.yaml"),
  );
  expect(workspace).toEqual({
    ...WORKSPACE,
    objects: { ...WORKSPACE.objects, EncryptionKey: [] },
  });
  expect([...values, ...unused]).toEqual([]);
});

it("leaves out, replaces and sets, and reports each value", () => {
  const found = applied({
    exclude: ["api-keys:internal"],
    replace: [
      { from: "shop.example", to: "eu.shop.example" },
      { from: "Staging", to: "Probe", in: ["names"] },
    ],
    set: { ApiKey: { "Shop server": { rateLimit: 20, status: "disabled" } } },
  });
  expect(outputs(found, "ApiKey")).toEqual([
    { name: "Shop server", type: "secret", status: "disabled", rateLimit: 20 },
  ]);
  expect(outputs(found, "Webhook")).toMatchObject([
    { url: "https://eu.shop.example/hook" },
  ]);
  expect(outputs(found, "FilteringRuleSet")[0]?.rules).toMatchObject({
    a: {
      expression: `http.request.headers["Origin"][0] matches '^https://eu\\\\.shop\\\\.example$'`,
    },
  });
  expect(found.workspace.environments[1]).toEqual({
    id: "ae_2",
    name: "Probe",
  });
  expect(
    found.values.map(({ what, name, field }) => `${what} ${name} ${field}`),
  ).toEqual([
    "environment Staging name",
    "API key Shop server rateLimit",
    "API key Shop server status",
    "webhook https://shop.example/hook url",
    'rule set Default rules["a"]',
  ]);
  expect(found.unused).toEqual([]);
});

it("reports entries that match nothing", () => {
  const { unused } = applied({
    exclude: ["webhooks:*internal*"],
    replace: [{ from: "shop.example", to: "x", in: ["names"] }],
    set: { Webhook: { "https://other.example/": { status: "disabled" } } },
  });
  expect(unused).toEqual([
    'exclude "webhooks:*internal*" means nothing there',
    'replace "shop.example" is in none of the names',
    'set.Webhook "https://other.example/" is not there',
  ]);
});

describe("refuses", () => {
  it.each([
    [{ sett: {} }, "eu: sett is not known"],
    [{ replace: [{ from: "", to: "x" }] }, "eu.replace[0].from"],
    [
      { set: { Key: { a: {} } } },
      "set.Key is no kind; there are Environment, ",
    ],
    [
      { set: { ApiKey: { "Shop server": { token: "x" } } } },
      ".token cannot be set; there are name, ",
    ],
    [
      { set: { ApiKey: { tok_1: { status: "off" } } } },
      'set.ApiKey["tok_1"].status must be one of enabled, disabled.',
    ],
  ])("%j", (differences, message) => {
    const run = () => applied(differences);
    expect(run).toThrow(DifferencesError);
    expect(run).toThrow(message);
  });
});

it("replaces only texts of an expression", () => {
  const from = "ip";
  expect(
    replaceInLiterals(
      `http.request.ip in cidr("10.0.0.0/8") && "zip" == 'ip' // ip`,
      from,
      "x",
    ),
  ).toBe(`http.request.ip in cidr("10.0.0.0/8") && 'zx' == 'x' // ip`);
  const printable = fc.string().map((text) => text.replaceAll(/[^ -~]/g, ""));
  fc.assert(
    fc.property(
      printable,
      fc.string({ minLength: 1 }),
      printable,
      (text, part, to) => {
        const source = `'a' == ${JSON.stringify(text)} && # > 1`;
        const after = replaceInLiterals(`any([1], ${source})`, part, to);
        expect(parseExpression(after).ok, after).toBe(true);
        expect(after).toMatch(/&& # > 1\)$/);
      },
    ),
  );
});
