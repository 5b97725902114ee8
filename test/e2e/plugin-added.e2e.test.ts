import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EngineStack, PLUGIN } from "../helpers/engine-stack";
import { yamlHostSettings } from "../helpers/form-stack";
import { localForTest } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";
import { textOf } from "../helpers/repository";

const PROGRAM = `name: shop
runtime: yaml
variables:
  found:
    fn::invoke:
      function: devid:getEnvironment
      arguments: { name: Default }
      return: name
resources:
  key:
    type: devid:ApiKey
    properties: { name: "Key of \${found}", type: secret }
outputs:
  token: \${key.token}
  found: \${found}
`;

it("a YAML program adds the plugin as a package with the lines of docs/plugin.md, and needs nothing else", async () => {
  const workspace = await localForTest();
  const page = textOf("docs/plugin.md");
  const lines = /^packages:\n(?: .*\n)+/m.exec(page)?.[0] ?? "";
  const command = /^pulumi package add .*$/m.exec(page)?.[0] ?? "";
  expect(lines).toContain("./node_modules/@devid/pulumi/bin");
  const stack = await openForTest(
    EngineStack.open(
      { ...workspace.env, ...(await yamlHostSettings()) },
      { "Pulumi.yaml": PROGRAM },
    ),
  );
  const scope = join(stack.workFolder, "node_modules/@devid");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(PLUGIN, ".."), join(scope, "pulumi"));
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), PROGRAM + lines);
  const { code, output } = await stack.shell(command);
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining("Added package devid") as string,
  });
  expect(await stack.up()).toEqual({ create: 2 });
  expect(await stack.outputs()).toEqual({
    token: "[secret]",
    found: "Default",
  });
  const keys = await workspace.list("api-keys");
  expect(keys.map(({ name }) => name)).toContain("Key of Default");
  // A file that Pulumi writes into the plugin's folder.
  rmSync(join(PLUGIN, "package-lock.json"), { force: true });
  rmSync(join(PLUGIN, "../schema-devid.json"), { force: true });
});
