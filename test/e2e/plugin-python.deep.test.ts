// @module-tag python
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { pluginProject } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { pythonRuntime } from "../helpers/python-runtime";
import { blockOf } from "../helpers/page-blocks";
import { textOf } from "../helpers/repository";

// A Python program with the SDK that Pulumi generates for the provider plugin, on a real engine: the example
// of docs/plugin.md. Each test continues from the state that the previous test left.

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;

const path = (name: string) => join(stack.workFolder, name);

/** The example of docs/plugin.md. */
const example = () => blockOf(textOf("docs/plugin.md"), "python");

beforeAll(async () => {
  const { us, eu } = workspace.service.workspaces;
  stack = await EngineStack.open(
    { DEVID_ENDPOINT: workspace.url, DEVID_MANAGEMENT_KEY: us.managementKey },
    { "Pulumi.yaml": pluginProject("shop", "python") },
  );
  const project = pluginProject("shop", await pythonRuntime(stack));
  writeFileSync(path("Pulumi.yaml"), project);
  await stack.configure("europeanKey", eu.managementKey, { secret: true });
});

afterAll(() => stack?.close());

it("reports wrong inputs at their properties in the preview", async () => {
  const wrong = example()
    .replace('name="Shop pages"', 'name="Sh", rate_limit=0')
    .replace("devid.ApiKeyType.PUBLIC", '"pubic"');
  writeFileSync(path("__main__.py"), wrong);
  const said = await stack.failing("preview");
  expect(said).toMatch(/property name value \{Sh\} has a problem: .*3/);
  expect(said).toMatch(/property rateLimit value \{0\} has a problem/);
  expect(said).toMatch(/property type value \{pubic\} has a problem/);
});

it("is created in both regions, and is then unchanged", async () => {
  writeFileSync(path("__main__.py"), example());
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

it("has encrypted secrets in the state", async () => {
  expect(await stack.outputs()).toEqual({ token: "[secret]" });
  const { token } = await stack.outputs({ showSecrets: true });
  expect(String(token).length).toBeGreaterThan(8);
  const { us, eu } = workspace.service.workspaces;
  const state = await stack.exported();
  for (const secret of [String(token), us.managementKey, eu.managementKey]) {
    expect(state).not.toContain(secret);
    expect(stack.output).not.toContain(secret);
  }
});

it("reads a data source, at once and in the output form", async () => {
  writeFileSync(
    path("__main__.py"),
    `import pulumi
import pulumi_devid as devid
pulumi.export("plain", devid.get_environment(default=True).name)
later = pulumi.Output.from_input("Default")
pulumi.export("output", devid.get_environment_output(name=later).id)
`,
  );
  const { text } = await stack.preview();
  expect(text).toMatch(/plain *: "Default"/);
  expect(text).toMatch(/output *: "ae_/);
  writeFileSync(path("__main__.py"), example());
});

it("a preview knows that a key belongs to the whole workspace", async () => {
  writeFileSync(
    path("__main__.py"),
    `${example()}
wide = devid.ApiKey("wide", name="Wide", type=devid.ApiKeyType.SECRET)
pulumi.export("place", wide.environment_id.apply(lambda place: f"in [{place}]"))
`,
  );
  const { text } = await stack.preview();
  expect(text).toMatch(/place *: "in \[\]"/);
  await stack.up();
  expect(await stack.outputs()).toMatchObject({ place: "in []" });
  writeFileSync(path("__main__.py"), example());
  expect(await stack.up()).toEqual({ same: 4, delete: 1 });
});

it("is destroyed", async () => {
  expect((await stack.destroy()).changes).toEqual({ delete: 4 });
  expect(await workspace.list("filtering-rules")).toEqual([]);
});
