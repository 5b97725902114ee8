import { describe, expect, it } from "vitest";
import {
  describeLostRules,
  describeRenames,
  type DeclaredRuleSet,
} from "../../../provider/src/program/describe-lost-rules";

const TYPE = "pulumi-nodejs:dynamic/devid:FilteringRuleSet";
const urn = (name: string, parents = "") =>
  `urn:pulumi:prod::shop::${parents}${TYPE}::${name}`;

const ofState = (name: string, outputs: object = {}, parents = "") => ({
  urn: urn(name, parents),
  outputs: {
    environmentId: "ae_1",
    rules: { bots: { expression: "true" } },
    ...outputs,
  },
});
const declared = (
  name: string,
  change: Partial<DeclaredRuleSet> = {},
  parents = "",
): DeclaredRuleSet => ({
  name,
  urns: [urn(name, parents)],
  isNew: true,
  environment: "default",
  takeOver: false,
  ...change,
});

const LOST =
  'Environment ae_1 is left without filtering rules, because FilteringRuleSet "rules" is deleted. Every request is then allowed.';
const alias = (name: string, how: string, written: string) =>
  `If "${name}" is the FilteringRuleSet "rules" ${how}, add { aliases: [${written}] } to its options. Without the alias, the update is refused.`;

describe("an environment that is left without filtering rules", () => {
  it.each<[string, object, DeclaredRuleSet[], string[]]>([
    ["goes with its last rule set", {}, [], [LOST]],
    [
      "is another one's than a declared rule set's",
      {},
      [declared("other", { environment: "ae_2", isNew: false })],
      [LOST],
    ],
    [
      "is no default environment, of which a new rule set is",
      { environment: "ae_1", owner: { workspace: "ae_0" } },
      [declared("other")],
      [LOST],
    ],
    ["is not where the rule set is declared", {}, [declared("rules")], []],
    [
      "is not where an alias says what it is",
      {},
      [declared("main", { urns: [urn("main"), urn("rules")], isNew: false })],
      [],
    ],
    ["is not where it had no rules", { rules: {} }, [], []],
    ["is not where its state says nothing", { environmentId: 1 }, [], []],
    [
      "is not where another rule set is of the same environment",
      { environment: "ae_1" },
      [declared("other", { environment: "ae_1" })],
      [],
    ],
    [
      "is not told where a new one's environment is not known yet",
      { environment: "ae_1" },
      [declared("other", { environment: undefined })],
      [],
    ],
  ])("%s", (_, outputs, program, said) => {
    expect(describeLostRules([ofState("rules", outputs)], program)).toEqual(
      said,
    );
  });
});

describe("a rule set that may be one of the state", () => {
  const rules = ofState("rules");
  it.each<[string, DeclaredRuleSet, string[]]>([
    [
      "under a new name",
      declared("main"),
      [alias("main", "under a new name", '{ name: "rules" }')],
    ],
    [
      "in a component",
      declared("rules", {}, "shop:Filter$"),
      [
        alias(
          "rules",
          "under another parent",
          "{ parent: pulumi.rootStackResource }",
        ),
      ],
    ],
    [
      "in a component under a new name",
      declared("main", {}, "shop:Filter$"),
      [
        alias(
          "main",
          "under a new name and under another parent",
          '{ name: "rules", parent: pulumi.rootStackResource }',
        ),
      ],
    ],
    ["that takes the rules over", declared("main", { takeOver: true }), []],
    ["of another environment", declared("main", { environment: "ae_2" }), []],
    ["that exists", declared("main", { isNew: false }), []],
  ])("%s", (_, program, said) => {
    expect(describeRenames([rules], [program])).toEqual(said);
  });

  it("out of a component has the whole URN as its alias", () => {
    const nested = ofState("rules", {}, "shop:Filter$");
    expect(describeRenames([nested], [declared("rules")])).toEqual([
      alias("rules", "under another parent", JSON.stringify(nested.urn)),
    ]);
  });

  it("has the name that it had, where several could be meant", () => {
    const program = [declared("main"), declared("rules", {}, "shop:Filter$")];
    expect(describeRenames([rules], program)).toHaveLength(1);
    expect(describeRenames([rules], program)[0]).toMatch(/^If "rules" is/);
  });
});
