import { readWorkspace, select, type Workspace } from "@devid/pulumi/clone";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { clientOf } from "./exported";

let service: LocalWorkspace;
let workspace: Workspace;

beforeAll(async () => {
  service = await LocalWorkspace.start();
  await fillAwkwardly(service);
  workspace = await readWorkspace(clientOf(service));
});

afterAll(() => service.close());

const idOf = (name: string) =>
  workspace.environments.find((found) => found.name === name)?.id;

it("chooses everything, the default environment excepted", () => {
  const { environments, workspace: chosen, only } = select(workspace);
  expect(only).toBeUndefined();
  expect(chosen).toEqual(workspace);
  expect(environments).toEqual(
    workspace.environments.filter(({ name }) => name !== "Default"),
  );
});

it("chooses what belongs to one environment, by its name or its ID", () => {
  const id = idOf("3D shop");
  const byName = select(workspace, { environment: "3D shop" });
  expect(select(workspace, { environment: id })).toEqual({
    ...byName,
    options: { environment: id },
  });
  expect(byName.environments.map(({ name }) => name)).toEqual(["3D shop"]);
  const { apiKeys, webhooks, encryptionKeys } = byName.workspace;
  const all = [...apiKeys, ...webhooks, ...encryptionKeys];
  expect(apiKeys.length).toBeGreaterThan(0);
  expect(new Set(all.map(({ environment }) => environment))).toEqual(
    new Set([id]),
  );
});

it("declares nothing of the default environment but what is in it", () => {
  const { environments, workspace: chosen } = select(workspace, {
    environment: "Default",
  });
  expect(environments).toEqual([]);
  expect(chosen.ruleSets).toHaveLength(1);
});

it("chooses kinds", () => {
  const { environments, workspace: chosen } = select(workspace, {
    include: ["webhooks"],
  });
  expect(environments).toEqual([]);
  expect(chosen.webhooks).toEqual(workspace.webhooks);
  expect([chosen.apiKeys, chosen.encryptionKeys, chosen.ruleSets]).toEqual([
    [],
    [],
    [],
  ]);
});

it.each([
  ["Shop browser", ["Shop browser", "Shop browser"]],
  ["?hop b*", ["Shop browser", "Shop browser"]],
  ["*hop*", ["Shop browser", "Shop browser", "shop-BROWSER", "3D shop"]],
  ["`*`", []],
  ["*`tick`*", ["back\\slash `tick` ${dollar}"]],
  ["👩‍👩‍👧 *", ["👩‍👩‍👧 Family"]],
  ["two?lines", ["two\nlines"]],
])("chooses what is named %s", (name, found) => {
  const chosen = select(workspace, { name });
  expect(chosen.workspace.apiKeys.map((key) => key.name)).toEqual(found);
  expect(chosen.environments.map((one) => one.name)).toEqual(found);
});

it("compares the address of a webhook", () => {
  const { webhooks } = select(workspace, { name: "*/class" }).workspace;
  expect(webhooks.map(({ url }) => url)).toEqual([
    "https://hooks.shop.example/class",
  ]);
});

it("says which environments there are", () => {
  const choose = (environment: string) => () =>
    select(workspace, { environment });
  expect(choose("Stagin")).toThrow(
    `The workspace in region us has no environment "Stagin"; it has ${workspace.defaultEnvironment.id} (Default), `,
  );
  expect(choose("Shop browser")).toThrow(
    /Several environments in region us are called "Shop browser": ae_\w+ \(Shop browser\), ae_\w+ \(Shop browser\)\. Name one by its ID\./,
  );
});
