import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { findEngine, findYamlHost } from "@devid/engine";
import { afterEach, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import * as registry from "../../provider/src/registry";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

const run = promisify(execFile);

const ROOT = join(TESTS, "..");
const PLUGINS = {
  providers: [{ name: "devid", path: join(ROOT, "provider/bin") }],
};

/** The parts of a `Pulumi.yaml` that a page shows. */
interface YamlProgram {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack | undefined;

afterEach(() => stack?.close());

/** The first example of a page in a language. */
function example(page: string, language: string): string {
  const text = readFileSync(join(ROOT, page), "utf8");
  const found = RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(text);
  if (!found?.[1]) throw new Error(`${page} has no example in ${language}.`);
  return found[1];
}

/**
 * Brings up the YAML examples of some pages as one program, and then, in the same
 * stack, the TypeScript examples. These are the same resources if nothing is made,
 * changed or deleted.
 */
async function bringUp(
  region: "us" | "eu",
  pages: readonly string[],
): Promise<void> {
  const host = await findYamlHost(await findEngine());
  const opened = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_REGION: region,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces[region].managementKey,
    PATH: [dirname(host), process.env.PATH].join(delimiter),
  });
  stack = opened;
  const write = (path: string, text: string) =>
    writeFileSync(join(opened.workFolder, path), text);
  const project = (more: object) =>
    write(
      "Pulumi.yaml",
      stringify({ name: "declared", plugins: PLUGINS, ...more }),
    );

  const programs = pages.map(
    (page) => parse(example(page, "ya?ml")) as YamlProgram,
  );
  const resources = Object.assign(
    {},
    ...programs.map((program) => program.resources),
  ) as YamlProgram["resources"];
  const outputs = Object.assign(
    {},
    ...programs.map((program) => program.outputs),
  ) as YamlProgram["outputs"];
  const count = Object.keys(resources).length;
  project({ runtime: "yaml", resources, outputs });
  expect(await opened.up()).toEqual({ create: count + 1 });
  const said = await opened.outputs({ showSecrets: true });
  expect(Object.keys(said).sort()).toEqual(Object.keys(outputs).sort());

  const files = pages.map((page, index) => {
    write(`example${index}.ts`, example(page, "ts"));
    return `./example${index}`;
  });
  write("index.ts", files.map((file) => `export * from "${file}";`).join("\n"));
  await run(
    process.execPath,
    [
      ...[require.resolve("typescript/bin/tsc"), "--noEmit", "--strict"],
      ...["--skipLibCheck", "--target", "es2022", "--module", "nodenext"],
      join(opened.workFolder, "index.ts"),
    ],
    { cwd: opened.workFolder },
  );
  project({ runtime: "nodejs", main: "index.ts" });
  const mark = await workspace.mark();
  const { create, delete: deleted } = await opened.up();
  expect({ create, deleted }).toEqual({});
  expect(await opened.outputs({ showSecrets: true })).toEqual(said);
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
}

it("the examples of all resources, in YAML and in TypeScript, declare the same", async () => {
  const pages = Object.keys(registry).map(
    (kind) =>
      `docs/resources/${kind.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}.md`,
  );
  await bringUp("us", pages);
});

it("so do the README's first examples", async () => {
  await bringUp("eu", ["README.md"]);
});
