import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseRuleFile } from "@devid/rules";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { AWKWARD_RULES, fillAwkwardly } from "../../helpers/awkward-workspace";
import { KINDS } from "../../../clone/src/read/clone-kinds";
import { makeWorkFolder } from "../../helpers/engine-stack";
import { formatted } from "../../helpers/formatted";
import { sharedForTests } from "../../helpers/local-for-tests";
import { exported } from "./exported";

let files: ReadonlyMap<string, string>;

const file = (path: string) => files.get(path) ?? expect.fail(`no ${path}`);

const workspace = sharedForTests();
beforeAll(async () => {
  await fillAwkwardly(workspace);
  files = (await exported(workspace)).files;
});

it("writes one file a kind, rule files, config of each region, state and report", () => {
  const paths = [...files.keys()].filter((path) => !path.startsWith("rules/"));
  expect(paths).toEqual([
    ".gitignore",
    "Pulumi.ap.yaml",
    "Pulumi.eu.yaml",
    "Pulumi.us.yaml",
    "Pulumi.yaml",
    "README.md",
    "REPORT.md",
    "api-keys.ts",
    "encryption-keys.ts",
    "environments.ts",
    "import.json",
    "index.ts",
    "outputs.ts",
    "package.json",
    "rule-sets.ts",
    "tsconfig.json",
    "webhooks.ts",
    "workspace.json",
  ]);
  expect(file("rules/default.yaml")).toBeDefined();
});

it("writes the same bytes again", async () => {
  const again = await exported(workspace);
  expect([...again.files]).toEqual([...files]);
});

it("writes TypeScript and Markdown as Prettier would", async () => {
  for (const [path, text] of files)
    if (/\.(ts|md)$/.test(path))
      expect(await formatted(path, text), path).toBe(text);
});

it("lists every resource for pulumi import", () => {
  const { resources } = JSON.parse(file("import.json")) as {
    resources: { type: string; name: string; id: string }[];
  };
  expect(resources).toHaveLength(80);
  expect(Object.keys(resources[0] ?? {})).toEqual(["type", "name", "id"]);
});

it("names by ID, in the config of the exported region, the objects that are alike", () => {
  const { config } = parse(file("Pulumi.us.yaml")) as {
    config: Record<string, unknown>;
  };
  expect(config["devid:adopt"]).toBe("byName");
  const chosen = Object.entries(
    config["devid:overrides"] as Record<
      string,
      Record<string, { adopt: { id: string } }>
    >,
  ).flatMap(([kind, all]) =>
    Object.entries(all).map(([name, { adopt }]) => [kind, name, adopt.id]),
  );
  const listed = JSON.parse(file("import.json")) as {
    resources: { type: string; name: string; id: string }[];
  };
  expect(chosen.length).toBeGreaterThan(1);
  for (const [kind, name, id] of chosen)
    expect(listed.resources).toContainEqual({
      type: `devid:index:${kind}`,
      name,
      id,
    });
  expect(file("Pulumi.eu.yaml")).not.toContain("devid:overrides:");
});

it("writes TypeScript that compiles", () => {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const folder = makeWorkFolder();
  for (const [path, text] of files)
    if (path.endsWith(".ts")) writeFileSync(join(folder, path), text);
  const program = ts.createProgram([join(folder, "index.ts")], options);
  const mistakes = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  rmSync(folder, { recursive: true });
  expect(mistakes).toEqual([]);
});

it("holds no secret of the workspace", async () => {
  const keys = await workspace.list("api-keys");
  const sealing = await workspace.list("encryption-keys");
  const secrets = [
    ...keys.map(({ token }) => token),
    ...sealing.flatMap((key) => [key.token, key.next_token]),
    workspace.service.workspaces.us.managementKey,
    workspace.service.workspaces.us.secretKey,
  ].filter((secret) => typeof secret === "string");
  expect(secrets.length).toBeGreaterThan(40);
  const all = [...files.values()].join("\n");
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});

it("has a stack output for each token and key, and the report has a command for each", async () => {
  const outputs = [...file("outputs.ts").matchAll(/^export const (\S+)/gm)];
  const names = outputs.map(([, name]) => name ?? "");
  const holders = ["api-keys", "webhooks", "encryption-keys"];
  const lists = await Promise.all(holders.map((one) => workspace.list(one)));
  expect(names.length).toBeGreaterThan(40);
  expect(names).toHaveLength(lists.flat().length);
  expect(new Set(names).size).toBe(names.length);
  const report = file("REPORT.md");
  const commands = report.matchAll(
    /`pulumi stack output (\S+) --show-secrets`/g,
  );
  expect([...commands].map(([, name]) => name).sort()).toEqual(names.sort());
});

it("reads only lists, and each page once", async () => {
  const mark = await workspace.mark();
  await exported(workspace);
  const log = await workspace.requestsSince(mark);
  expect(log.map(({ method, path }) => `${method} ${path}`)).toEqual(
    KINDS.filter(({ partOf }) => !partOf).map(
      ({ listed }) =>
        `GET /management/${listed.toLowerCase().replaceAll(" ", "-")}`,
    ),
  );
});

it("refers to environments instead of naming their IDs", async () => {
  const ids = (await workspace.list("environments")).map(({ id }) =>
    String(id),
  );
  for (const [path, text] of files)
    if (path.endsWith(".ts"))
      expect(
        ids.filter((id) => text.includes(id)),
        path,
      ).toEqual([]);
  expect(file("api-keys.ts")).toContain("environment: environments.");
});

it("writes rule files with the rules in force, in order", () => {
  expect(parseRuleFile(file("rules/default.yaml"), "default.yaml")).toEqual(
    AWKWARD_RULES.map((rule) => ({
      status: "enabled",
      ...rule,
    })),
  );
});
