import {
  assertChoices,
  readWorkspace,
  select,
  type SelectionOptions,
  type Workspace,
} from "@devid/clone";
import { beforeAll, expect, it } from "vitest";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { sharedForTests } from "../../helpers/local-for-tests";
import { clientOf } from "../write/exported";

let workspace: Workspace;

const service = sharedForTests();
beforeAll(async () => {
  await fillAwkwardly(service);
  workspace = await readWorkspace(clientOf(service));
});

const of = ({ objects }: Workspace, kind: string) =>
  (objects[kind] ?? []).map(({ outputs }) => outputs);
const idOf = (name: string) =>
  workspace.environments.find((found) => found.name === name)?.id;

it("chooses everything except the default environment", () => {
  const { workspace: chosen, only } = select(workspace);
  expect(only).toBeUndefined();
  expect(chosen).toEqual(workspace);
  expect(of(chosen, "Environment").map(({ name }) => name)).toEqual(
    workspace.environments
      .map(({ name }) => name)
      .filter((name) => name !== "Default"),
  );
});

it("chooses the objects of one environment, by its name or its ID", () => {
  const id = idOf("3D shop");
  const byName = select(workspace, { environment: "3D shop" });
  expect(select(workspace, { environment: id })).toEqual({
    ...byName,
    options: { environment: id },
  });
  const chosen = (kind: string) => of(byName.workspace, kind);
  expect(chosen("Environment").map(({ name }) => name)).toEqual(["3D shop"]);
  const all = ["ApiKey", "Webhook", "EncryptionKey"].flatMap(chosen);
  expect(chosen("ApiKey").length).toBeGreaterThan(0);
  expect(new Set(all.map(({ environment }) => environment))).toEqual(
    new Set([id]),
  );
});

it("declares the contents of the default environment, but not the environment itself", () => {
  const { workspace: chosen } = select(workspace, { environment: "Default" });
  expect(of(chosen, "Environment")).toEqual([]);
  expect(of(chosen, "FilteringRuleSet")).toHaveLength(1);
});

it("chooses kinds", () => {
  const { workspace: chosen } = select(workspace, { include: ["webhooks"] });
  const { Webhook, ...others } = chosen.objects;
  expect(Webhook).toEqual(workspace.objects.Webhook);
  expect(Object.keys(others)).toHaveLength(
    Object.keys(workspace.objects).length - 1,
  );
  expect(Object.values(others).flat()).toEqual([]);
});

it.each([
  ["Shop browser", ["Shop browser", "Shop browser"]],
  ["?hop b*", ["Shop browser", "Shop browser"]],
  ["*hop*", ["Shop browser", "Shop browser", "shop-BROWSER", "3D shop"]],
  ["`*`", []],
  ["*`tick`*", ["back\\slash `tick` ${dollar}"]],
  ["👩‍👩‍👧 *", ["👩‍👩‍👧 Family"]],
  ["two?lines", ["two\nlines"]],
])("chooses the objects named %s", (name, found) => {
  const { workspace: chosen } = select(workspace, {
    include: [`*:${name}`],
  });
  for (const kind of ["ApiKey", "Environment"])
    expect(of(chosen, kind).map((one) => one.name)).toEqual(found);
});

/** The kinds and names of the chosen objects. */
const names = (options: SelectionOptions) => {
  const { objects } = select(workspace, options).workspace;
  return Object.entries(objects).flatMap(([kind, all]) =>
    all.map(
      ({ id, outputs }) =>
        `${kind} ${typeof outputs.name === "string" ? outputs.name : id}`,
    ),
  );
};

it("chooses by kind and name and by ID, with several choices at once", () => {
  const [key] = workspace.objects.ApiKey ?? [];
  const chosen = names({
    include: ["environments:3D*", "webhooks:*/class", key?.id ?? ""],
  });
  const [hook] = (workspace.objects.Webhook ?? []).filter(({ outputs }) =>
    String(outputs.url).endsWith("/class"),
  );
  expect(chosen).toEqual([
    "Environment 3D shop",
    `ApiKey ${String(key?.outputs.name)}`,
    `Webhook ${hook?.id}`,
  ]);
});

it("leaves out by kind, by kind and name, by name in every kind, and by ID", () => {
  const all = names({});
  const [key, ...others] = workspace.objects.ApiKey ?? [];
  expect(names({ exclude: ["webhooks"] })).toEqual(
    all.filter((one) => !one.startsWith("Webhook")),
  );
  expect(names({ include: ["api-keys"], exclude: [key?.id ?? ""] })).toEqual(
    others.map(({ outputs }) => `ApiKey ${String(outputs.name)}`),
  );
  expect(names({ exclude: ["*:3D shop"] })).not.toContain(
    "Environment 3D shop",
  );
  expect(names({ exclude: ["*"] })).toEqual([]);
});

it.each(["tok_none", "key", "webhook:*", ""])(
  "refuses the choice %j, which is no kind",
  (choice) => {
    for (const options of [{ include: [choice] }, { exclude: [choice] }])
      expect(() => assertChoices(workspace, options)).toThrow(
        `"${choice}" is neither a kind (`,
      );
  },
);

it("lists the existing environments in its error", () => {
  const choose = (environment: string) => () =>
    select(workspace, { environment });
  expect(choose("Stagin")).toSay("selection/unknown-environment", {
    id: workspace.defaultEnvironment.id,
  });
  expect(choose("Shop browser")).toSay("selection/environments-of-one-name");
});
