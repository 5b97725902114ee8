// @module-tag go
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ENGINE_VERSION, findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { writtenExamples } from "../../provider/src/generate/written-examples";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// A Go program with the SDK that Pulumi generates from the provider plugin, on a real
// engine: the example of docs/plugin.md, set up like the page says. Each test continues
// the previous test.

const ROOT = join(TESTS, "..");

let workspace: LocalWorkspace;
let stack: EngineStack;

/** The example of the page for users. */
function example(): string {
  const page = readFileSync(join(ROOT, "docs/plugin.md"), "utf8");
  const found = /^```go\n(.*?)^```$/ms.exec(page)?.[1];
  if (found === undefined) throw new Error("The page has no Go.");
  return found;
}

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us, eu } = workspace.service.workspaces;
  const folder = mkdtempSync(join(tmpdir(), "devid-go-"));
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text);
  write("Pulumi.yaml", stringify({ name: "shop", runtime: "go" }));
  write(
    "go.mod",
    `module shop\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v${ENGINE_VERSION}\n`,
  );
  write("main.go", example());
  const host = await findLanguageHost("go", await findEngine());
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: us.managementKey,
      PATH: [dirname(host), process.env.PATH].join(delimiter),
    },
    folder,
  );
  rmSync(folder, { recursive: true });
  const packages = { devid: { source: join(ROOT, "provider/bin") } };
  writeFileSync(
    join(stack.workFolder, "Pulumi.yaml"),
    stringify({ name: "shop", runtime: "go", packages }),
  );
  await stack.configure("europeanKey", eu.managementKey, { secret: true });
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

it("gets the SDK by pulumi package add", async () => {
  const added = await stack.shell("pulumi package add devid");
  expect(added.output).toContain('"example.com/pulumi-devid/sdk/go/devid"');
  expect(added.code).toBe(0);
});

it("contains the examples of the reference pages as Pulumi writes them", async () => {
  const { writeExamples } = (await import(
    pathToFileURL(join(ROOT, "tools/examples/write-examples.mjs")).href
  )) as { writeExamples: typeof writtenExamples };
  const written = writtenExamples();
  expect(writeExamples()).toEqual(written);
  for (const [kind, { go }] of Object.entries(written)) {
    const folder = join(stack.workFolder, "examples", kind);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "main.go"), go);
  }
  const compiled = await stack.shell("go vet ./examples/...");
  expect(compiled).toEqual({ code: 0, output: "" });
});

it("creates the example in both regions, and then changes nothing", async () => {
  expect(await stack.up()).toEqual({ create: 4 });
  expect((await stack.preview("--expect-no-changes")).changes).toEqual({
    same: 4,
  });
  expect(await workspace.list("filtering-rules")).toMatchObject([
    { name: "block-crawlers", action: "deny" },
  ]);
  const keys = await workspace.list("api-keys", "eu");
  expect(keys.filter(({ name }) => name === "Shop pages")).toMatchObject([
    { name: "Shop pages", type: "public" },
  ]);
});

it("keeps secrets encrypted in the state", async () => {
  expect(await stack.outputs()).toEqual({ token: "[secret]" });
  const { token } = await stack.outputs({ showSecrets: true });
  const state = await stack.exported();
  const { eu } = workspace.service.workspaces;
  for (const secret of [String(token), eu.managementKey])
    expect(state).not.toContain(secret);
});

it("reports mistakes in the program with their lines", async () => {
  const main = join(stack.workFolder, "main.go");
  writeFileSync(main, example().replace("pages.Token", "pages.Tokens"));
  expect(await stack.failing("preview")).toMatch(
    /main\.go:\d+:\d+: pages\.Tokens undefined/,
  );
  writeFileSync(main, example());
});

it("destroys the example", async () => {
  expect((await stack.destroy()).changes).toEqual({ delete: 4 });
  expect(await workspace.list("filtering-rules")).toEqual([]);
});
