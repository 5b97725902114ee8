import { expect, it } from "vitest";
import { matchResources } from "../../../clone/src/recover/match-resources";
import type { ProgramResource } from "../../../clone/src/recover/previewed-program";
import type { Workspace } from "@devid/clone";
import { declared, found, urnOf, workspaceOf } from "./declared";

const key = (name: string, more = {}) => ({
  name,
  type: "public",
  status: "enabled",
  ...more,
});

/** The matches by resource name, and the objects that are left. */
function matched(
  workspace: Workspace,
  resources: readonly ProgramResource[],
  known: Parameters<typeof matchResources>[2] = {},
) {
  const all = matchResources(workspace, resources, known);
  return {
    found: all.matches.map(
      ({ resource, object, evidence }) =>
        `${resource.name} ${object.id} ${evidence}`,
    ),
    ambiguous: all.ambiguous.map(
      ({ resource, candidates }) =>
        `${resource.name}: ${candidates.map(({ id }) => id).join(" ")}`,
    ),
    missing: all.missing.map(({ resource }) => resource.name),
    unclaimed: all.unclaimed.map(({ object, duplicateOf }) =>
      duplicateOf
        ? `${object.id} like ${duplicateOf.resource.name}`
        : object.id,
    ),
  };
}

it("finds the objects of an environment that the program declares, although the preview does not know its ID", () => {
  const workspace = workspaceOf({
    Environment: [found("ae_1", { name: "Staging" })],
    ApiKey: [
      found("tok_1", key("Shop", { environment: "ae_default" })),
      found("tok_2", key("Shop", { environment: "ae_1" })),
    ],
    EncryptionKey: [
      found("ek_1", { environment: "ae_default" }),
      found("ek_2", { environment: "ae_1" }),
    ],
    FilteringRuleSet: [
      found("ae_1", { environment: "ae_1", environmentId: "ae_1", rules: {} }),
    ],
  });
  expect(
    matched(workspace, [
      declared("Environment", "staging", { name: "Staging" }),
      declared("ApiKey", "staging-shop", key("Shop"), "staging"),
      declared("ApiKey", "shop", key("Shop")),
      declared("EncryptionKey", "sealing", {}, "staging"),
      declared("FilteringRuleSet", "rules", { rules: {} }, "staging"),
    ]),
  ).toEqual({
    found: [
      "staging ae_1 unique",
      "staging-shop tok_2 unique",
      "shop tok_1 unique",
      "sealing ek_2 unique",
      "rules ae_1 unique",
    ],
    ambiguous: [],
    missing: [],
    unclaimed: [],
  });
});

it("chooses none of two equal objects, and names both", () => {
  const workspace = workspaceOf({
    ApiKey: [
      found("tok_1", key("Shop", { environment: "ae_default" })),
      found("tok_2", key("Shop", { environment: "ae_default" })),
    ],
  });
  const program = [declared("ApiKey", "shop", key("Shop"))];
  expect(matched(workspace, program)).toMatchObject({
    found: [],
    ambiguous: ["shop: tok_1 tok_2"],
    missing: [],
  });
  const chosen = new Map([[urnOf("ApiKey", "shop"), "tok_2"]]);
  expect(matched(workspace, program, { chosen })).toEqual({
    found: ["shop tok_2 choice"],
    ambiguous: [],
    missing: [],
    unclaimed: ["tok_1 like shop"],
  });
});

it("lists an object that resembles an object of the state as its duplicate", () => {
  const workspace = workspaceOf({
    Webhook: [
      found("wh_1", { url: "https://a.example/", status: "enabled" }),
      found("wh_2", { url: "https://a.example/", status: "enabled" }),
      found("wh_3", { url: "https://b.example/", status: "enabled" }),
    ],
  });
  const inState = new Map([[urnOf("Webhook", "a"), "wh_1"]]);
  const program = [declared("Webhook", "a", { url: "https://a.example/" })];
  expect(matched(workspace, program, { inState })).toEqual({
    found: ["a wh_1 state"],
    ambiguous: [],
    missing: [],
    unclaimed: ["wh_2 like a", "wh_3"],
  });
});

it("chooses the object with the most equal fields, and lists the other as a duplicate", () => {
  const workspace = workspaceOf({
    ApiKey: [
      found("tok_1", key("S", { type: "secret", description: "old" })),
      found("tok_2", key("S", { type: "secret", description: "for shop" })),
      found("tok_3", key("S", { type: "proxy", description: "for shop" })),
    ],
  });
  const inputs = key("S", { type: "secret", description: "for shop" });
  expect(matched(workspace, [declared("ApiKey", "s", inputs)])).toEqual({
    found: ["s tok_2 unique"],
    ambiguous: [],
    missing: [],
    unclaimed: ["tok_1 like s", "tok_3"],
  });
});

it("pairs equal resources with as many equal objects, in order", () => {
  const workspace = workspaceOf({
    ApiKey: ["tok_b", "tok_a"].map((id) =>
      found(id, key("Twin", { environment: "ae_default" })),
    ),
  });
  const program = ["one", "two"].map((name) =>
    declared("ApiKey", name, key("Twin")),
  );
  expect(matched(workspace, program).found).toEqual([
    "one tok_b position",
    "two tok_a position",
  ]);
  const [first] = workspace.objects.ApiKey ?? [];
  expect(
    matched(workspaceOf({ ApiKey: first ? [first] : [] }), program),
  ).toMatchObject({ found: [], ambiguous: ["one: tok_b", "two: tok_b"] });
});

it("finds a renamed environment by its contents, and then its contents", () => {
  const workspace = workspaceOf({
    Environment: [
      found("ae_1", { name: "Pre-production" }),
      found("ae_2", { name: "Load test" }),
    ],
    ApiKey: [found("tok_1", key("Shop", { environment: "ae_1" }))],
    FilteringRuleSet: [
      found("ae_1", { environmentId: "ae_1", rules: { a: { after: "" } } }),
    ],
  });
  expect(
    matched(workspace, [
      declared("Environment", "staging", { name: "Staging" }),
      declared("ApiKey", "shop", key("Shop"), "staging"),
    ]),
  ).toEqual({
    found: ["staging ae_1 contents", "shop tok_1 unique"],
    ambiguous: [],
    missing: [],
    unclaimed: ["ae_2", "ae_1"],
  });
});

it("pairs environments with the same name by their contents", () => {
  const workspace = workspaceOf({
    Environment: [
      found("ae_1", { name: "Test" }),
      found("ae_2", { name: "Test" }),
    ],
    Webhook: [
      found("wh_1", { url: "https://a.example/", environment: "ae_2" }),
    ],
  });
  expect(
    matched(workspace, [
      declared("Environment", "test", { name: "Test" }),
      declared("Webhook", "a", { url: "https://a.example/" }, "test"),
    ]),
  ).toMatchObject({
    found: ["test ae_2 unique", "a wh_1 unique"],
    unclaimed: ["ae_1 like test"],
  });
});

it("does not search other environments when the declared environment is gone", () => {
  const workspace = workspaceOf({
    ApiKey: [found("tok_1", key("Shop", { environment: "ae_default" }))],
    FilteringRuleSet: [
      found("ae_default", { environmentId: "ae_default", rules: {} }),
    ],
  });
  expect(
    matched(workspace, [
      declared("Environment", "staging", { name: "Staging" }),
      declared("ApiKey", "shop", key("Shop"), "staging"),
      declared("FilteringRuleSet", "rules", { rules: {} }, "staging"),
    ]),
  ).toEqual({
    found: [],
    ambiguous: [],
    missing: ["staging", "shop", "rules"],
    unclaimed: ["tok_1", "ae_default"],
  });
});

it("lists a legacy webhook and other undeclared objects, even with odd names", () => {
  const odd = "`'\"\n$ {} \u202e, = ::";
  const workspace = workspaceOf({
    ApiKey: [found("tok_1", key(odd, { environment: "ae_default" }))],
    Webhook: [found("wh_1", { url: "https://a.example/", legacy: true })],
  });
  const program = [declared("ApiKey", "odd", key(odd))];
  expect(matched(workspace, program)).toEqual({
    found: ["odd tok_1 unique"],
    ambiguous: [],
    missing: [],
    unclaimed: ["wh_1"],
  });
});

it("finds a webhook by its other fields when the preview hides its address", () => {
  const hidden = {
    ...declared("Webhook", "a", { status: "enabled", description: "Fraud" }),
    hidden: new Set(["url"]),
  };
  const workspace = workspaceOf({
    Webhook: [
      found("wh_1", { url: "https://a.example/", status: "enabled" }),
      found("wh_2", {
        url: "https://b.example/?key=1",
        status: "enabled",
        description: "Fraud",
      }),
    ],
  });
  expect(matched(workspace, [hidden]).found).toEqual(["a wh_2 unique"]);
});
