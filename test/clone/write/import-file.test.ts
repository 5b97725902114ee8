import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { PULUMI_SDK } from "../../../clone/src/write/program/project";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { exported } from "./exported";

interface Entry {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly dependencies?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
}

let entries: Entry[];

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  await fillAwkwardly(workspace);
  const { files } = await exported(workspace);
  const state = JSON.parse(files.get("import.json") ?? "") as {
    deployment: { resources: Entry[] };
  };
  entries = state.deployment.resources;
});

const TYPE = "pulumi-nodejs:dynamic/devid:";
const ofKind = (kind: string) =>
  entries.filter(({ type }) => type === TYPE + kind);

it("begins with the stack and the provider that every entry refers to", () => {
  const [stack, provider, ...rest] = entries;
  expect(stack?.urn).toBe(
    "urn:pulumi:us::devid-workspace::pulumi:pulumi:Stack::devid-workspace-us",
  );
  for (const entry of rest) {
    expect(entry.parent).toBe(stack?.urn);
    expect(entry.provider).toBe(`${provider?.urn}::${provider?.id}`);
  }
});

it("has every resource once, after the resources that it depends on", () => {
  const urns = entries.map(({ urn }) => urn);
  expect(new Set(urns).size).toBe(urns.length);
  const dependent = entries.filter(({ dependencies = [] }) => dependencies[0]);
  expect(dependent.length).toBeGreaterThan(30);
  for (const { urn, dependencies = [], inputs } of dependent) {
    const at = urns.indexOf(dependencies[0] ?? "");
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(urns.indexOf(urn));
    expect(inputs?.environment).toBe(entries[at]?.id);
  }
});

it("marks outputs as secrets that a refresh will read", () => {
  const secrets = (kind: string) => ofKind(kind)[0]?.additionalSecretOutputs;
  expect(secrets("ApiKey")).toContain("token");
  expect(secrets("Webhook")).toEqual(
    expect.arrayContaining(["signingKey", "basicAuth"]),
  );
  expect(secrets("EncryptionKey")).toEqual([
    "token",
    "previousToken",
    "nextToken",
    "tokenBefore",
  ]);
});

it("restores the status of an encryption key when the stack is destroyed", () => {
  for (const { inputs, outputs } of ofKind("EncryptionKey"))
    expect(outputs?.adoptedStatus).toBe(inputs?.status);
});

it("requires the Pulumi version that devid is tested with", () => {
  const path = resolve(__dirname, "../../../package.json");
  const { devDependencies } = JSON.parse(readFileSync(path, "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(PULUMI_SDK).toBe(devDependencies["@pulumi/pulumi"]);
});
