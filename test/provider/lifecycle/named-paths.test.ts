import { DiffRequest } from "@pulumi/pulumi/proto/provider_pb";
import { describe, expect, it } from "vitest";
import { ResourceCalls } from "../../../provider/src/adapters/plugin/resource-calls";
import {
  IGNORE_CHANGES,
  REPLACE_ON_CHANGES,
} from "../../../provider/src/definition/host-protocol";
import { UNKNOWN } from "../../../provider/src/definition/value";
import { ApiKey } from "../../../provider/src/registry";
import { struct } from "../../helpers/protocol-provider";
import type { Kind } from "../../helpers/provider-host";
import { hostForTests } from "../host-for-tests";
import { FULL_INPUTS, KINDS, LEAST_INPUTS } from "../kind-rows";
import { lifecycleOf } from "../lifecycle-of";
import { sessionOf } from "../session-of";

const rule = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});
const BEFORE = { rules: [rule("on", "true"), rule("a b", "true")] };
const AFTER = { rules: [rule("on", "false"), rule("rest", "true")] };

/** The failures of an update of a kind with an option, as TypeScript programs have it. */
async function failures(
  kind: Kind,
  options: { ignoreChanges?: string[]; replaceOnChanges?: string[] },
  news = FULL_INPUTS[kind],
  olds = FULL_INPUTS[kind],
) {
  const lifecycle = lifecycleOf(kind);
  const last = await lifecycle.check({ news: olds, olds: {} });
  const checked = await lifecycle.check({
    news,
    olds: last.inputs,
    options: { ignoreChanges: [], replaceOnChanges: [], ...options },
  });
  return checked.failures.map(({ reason }) => reason);
}

describe.each(KINDS)("a path in an option of %s", (kind) => {
  it("may be any input", async () => {
    const paths = [...Object.keys(FULL_INPUTS[kind]), "*"];
    expect(
      await failures(kind, { ignoreChanges: paths, replaceOnChanges: paths }),
    ).toEqual([]);
  });

  it.each(["nmae", "rule", "toString", "__proto__", "createdAt", "id"])(
    "is refused if no input is called %s",
    async (path) => {
      const found = await failures(kind, {
        ignoreChanges: [path],
        replaceOnChanges: [path],
      });
      expect(found).toEqual(
        ["ignoreChanges", "replaceOnChanges"].map(
          (option) =>
            expect.stringContaining(
              `${option} has '${path}', which matches nothing: ${kind} has no input "${path}"`,
            ) as string,
        ),
      );
    },
  );

  it("is told by the diff of the plugin, which sees the option there alone", async () => {
    const lifecycle = lifecycleOf(kind);
    const news = LEAST_INPUTS[kind];
    const { inputs } = await lifecycle.check({ news, olds: {} });
    const request = { id: "id", state: inputs, news: inputs };
    const asked = (path: string) =>
      lifecycle.diff({ ...request, ignoreChanges: [path] }).warning;
    expect(asked("nmae")).toMatch(/^ignoreChanges has 'nmae', which matches/);
    expect(asked("*")).toBeUndefined();
  });
});

describe("a path into rules", () => {
  const asked = (path: string) =>
    failures("FilteringRuleSet", { ignoreChanges: [path] }, AFTER, BEFORE);

  it.each([
    "rules",
    "rules[0]",
    "rules[1].expression",
    "rules[*].expression",
    'rules["on"].expression',
    "rules.rest.action",
    'rules["a b"].denyWith', // It is in the state, and this update deletes it.
    "rules.on.*",
    "rules.[0].expression",
    'rules.["on"].expression',
    "rules..on.expression",
  ])("matches: %s", async (path) => {
    expect(await asked(path)).toEqual([]);
  });

  it.each([
    ["rules[0].expresion", "a member of rules has no expresion, but name"],
    ['rules["no"].expression', 'rules has no "no"'],
    ["rules[2].expression", "rules has no position 2"],
    ["rules.0.expression", 'rules has no "0"'],
    ['rules["0"].expression', 'rules has no "0"'],
    ["rules[-1].expression", 'has no input ""'],
    ["rules[0", 'has no input ""'],
    [".rules", 'has no input ""'],
    ["rules.", 'has no input ""'],
    ['rules."on".expression', 'rules has no ""on""'],
    ["rules[0].expression.text", "has no expression.text"],
    ["rules[*].nmae", "a member of rules has no nmae"],
    ["rulesFile", "as rules, so write rules"],
    ["takeOver.of", "takeOver has no of"],
  ])("is refused: %s", async (path, problem) => {
    expect(await asked(path)).toEqual([
      expect.stringContaining(problem) as string,
    ]);
  });

  it("may be any member while the rules are not known", async () => {
    const news = { rules: UNKNOWN };
    const { failures } = await lifecycleOf("FilteringRuleSet").check({
      news,
      olds: {},
      options: { ignoreChanges: ["rules.later.action"], replaceOnChanges: [] },
    });
    expect(failures).toEqual([]);
  });
});

it("paths into other inputs are walked as their schemas are", async () => {
  const paths = ["adopt.id", "deleteContents[0]", "deleteContents[*]"];
  expect(await failures("Environment", { ignoreChanges: paths })).toEqual([]);
  const wrong = ["adopt.name", "deleteContents.first", "name.first"];
  expect(await failures("Environment", { ignoreChanges: wrong })).toHaveLength(
    wrong.length,
  );
});

const { workspace, host } = hostForTests();

it("the plugin warns with the resource's name", async () => {
  const { session, logged } = sessionOf(workspace);
  const kinds = { ApiKey: () => Promise.resolve(ApiKey) };
  const inputs = struct(LEAST_INPUTS.ApiKey);
  const urn = "urn:pulumi:test::shop::devid:index:ApiKey::key";
  const request = new DiffRequest()
    .setUrn(urn)
    .setType("devid:index:ApiKey")
    .setId("tok_1")
    .setOlds(inputs)
    .setNews(inputs)
    .setIgnorechangesList(["nmae"]);
  await new ResourceCalls(kinds, () => session).diff(request);
  expect(logged).toEqual([
    {
      severity: "warning",
      text: expect.stringMatching(/^ignoreChanges has 'nmae'/) as string,
      urn,
    },
  ]);
});

it.each([IGNORE_CHANGES, REPLACE_ON_CHANGES])(
  "the host of dynamic resources refuses a path of %s before anything is made",
  async (option) => {
    const news = { ...LEAST_INPUTS.ApiKey, [option]: ["nmae"] };
    const { failures } = await host.check("ApiKey", news, {});
    expect(failures.map(({ reason }) => reason).join()).toContain(
      "which matches nothing",
    );
  },
);
