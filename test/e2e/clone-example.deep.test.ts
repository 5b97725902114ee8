import { cpSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  compareWorkspaces,
  readWorkspace,
  select,
  type Comparison,
} from "@devid/clone";
import { createClient, optionsFromEnvironment, type Region } from "@devid/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, makeWorkFolder } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

const EXAMPLE = resolve(__dirname, "../../examples/cloned");

const workspace = openForTests(new LocalWorkspace());
const programs: string[] = [];
const stacks: EngineStack[] = [];

beforeAll(async () => {
  for (const region of ["us", "eu", "ap"] as const) await bringUp(region);
});

afterAll(() => {
  for (const stack of stacks) stack.close();
  for (const program of programs)
    rmSync(program, { recursive: true, force: true });
});

const settingsOf = (region: Region) => ({
  DEVID_ENDPOINT: workspace.url,
  DEVID_MANAGEMENT_KEY: workspace.service.workspaces[region].managementKey,
});

async function bringUp(region: Region): Promise<void> {
  const program = makeWorkFolder();
  programs.push(program);
  cpSync(EXAMPLE, program, {
    recursive: true,
    filter: (source) => !/\/(node_modules|dist)$/.test(source),
  });
  // The stack of an EngineStack is called test.
  renameSync(
    join(program, `Pulumi.${region}.example.yaml`),
    join(program, "Pulumi.test.yaml"),
  );
  const stack = await EngineStack.open(settingsOf(region), program);
  stacks.push(stack);
  expect(await stack.up()).toEqual({ create: 11 });
}

async function compare(other: Region): Promise<Comparison> {
  const side = async (region: Region) => {
    const env = { ...settingsOf(region), DEVID_REGION: region };
    const client = createClient(optionsFromEnvironment([], env));
    return { name: region, selection: select(await readWorkspace(client)) };
  };
  return compareWorkspaces(await side("us"), await side(other));
}

const summaryOf = ({ objects, ruleSets }: Comparison) => ({
  // The order of creation varies, because several objects are created at a time.
  objects: objects
    .map(({ change, what, name, fields = [] }) =>
      [
        change,
        what,
        name,
        ...fields.map(({ field, after }) => `${field}=${String(after)}`),
      ].join(" "),
    )
    .sort(),
  rules: ruleSets.flatMap(({ environment, diff }) =>
    diff.changes.map(
      ({ kind, rule }) => `${environment}: ${kind} ${rule.name}`,
    ),
  ),
});

it("the copy in eu differs as its stack config says", async () => {
  expect(summaryOf(await compare("eu"))).toEqual({
    objects: [
      "added webhook https://hooks.eu.shop.example/fraud",
      "changed API key Shop server rateLimit=20",
      "removed webhook https://hooks.shop.example/fraud",
    ],
    rules: [
      "the default environment: removed block-us-office",
      "the default environment: added block-eu-test-network",
    ],
  });
});

it("the copy in ap differs as its stack config says", async () => {
  expect(summaryOf(await compare("ap"))).toEqual({
    objects: [
      "changed API key Shop browser status=disabled",
      "changed API key Shop server status=disabled",
      "changed encryption key of the default environment status=disabled",
      "changed webhook https://hooks.shop.example/fraud status=disabled",
    ],
    rules: ["the default environment: removed block-us-office"],
  });
});
