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

describe("an environment that loses all its filtering rules", () => {
  it.each<[string, object, DeclaredRuleSet[], string[]]>([
    ["is reported when its only rule set is removed", {}, [], [LOST]],
    [
      "is reported when the declared rule set is of another environment",
      {},
      [declared("other", { environment: "ae_2", isNew: false })],
      [LOST],
    ],
    [
      "is reported when the declared rule set is of the default environment",
      { environment: "ae_1", owner: { workspace: "ae_0" } },
      [declared("other")],
      [LOST],
    ],
    [
      "is not reported when the rule set is still declared",
      {},
      [declared("rules")],
      [],
    ],
    [
      "is not reported when an alias names the old rule set",
      {},
      [declared("main", { urns: [urn("main"), urn("rules")], isNew: false })],
      [],
    ],
    ["is not reported when its rule set had no rules", { rules: {} }, [], []],
    [
      "is not reported when the state does not name the environment",
      { environmentId: 1 },
      [],
      [],
    ],
    [
      "is not reported when another declared rule set has the same environment",
      { environment: "ae_1" },
      [declared("other", { environment: "ae_1" })],
      [],
    ],
    [
      "is not reported when the environment of a new rule set is unknown",
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

describe("a rule set that may be a renamed rule set of the state", () => {
  const rules = ofState("rules");
  it.each<[string, DeclaredRuleSet, string[]]>([
    [
      "gets a suggested alias under a new name",
      declared("main"),
      [alias("main", "under a new name", '{ name: "rules" }')],
    ],
    [
      "gets a suggested alias in a component",
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
      "gets a suggested alias in a component under a new name",
      declared("main", {}, "shop:Filter$"),
      [
        alias(
          "main",
          "under a new name and under another parent",
          '{ name: "rules", parent: pulumi.rootStackResource }',
        ),
      ],
    ],
    [
      "gets no suggestion when it takes the rules over",
      declared("main", { takeOver: true }),
      [],
    ],
    [
      "gets no suggestion in another environment",
      declared("main", { environment: "ae_2" }),
      [],
    ],
    [
      "gets no suggestion when it exists",
      declared("main", { isNew: false }),
      [],
    ],
  ])("%s", (_, program, said) => {
    expect(describeRenames([rules], [program])).toEqual(said);
  });

  it("that left a component gets its whole URN suggested as the alias", () => {
    const nested = ofState("rules", {}, "shop:Filter$");
    expect(describeRenames([nested], [declared("rules")])).toEqual([
      alias("rules", "under another parent", JSON.stringify(nested.urn)),
    ]);
  });

  it("is matched by its name when several rule sets fit", () => {
    const program = [declared("main"), declared("rules", {}, "shop:Filter$")];
    expect(describeRenames([rules], program)).toHaveLength(1);
    expect(describeRenames([rules], program)[0]).toMatch(/^If "rules" is/);
  });
});
