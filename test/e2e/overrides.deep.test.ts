import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declared, EngineStack } from "../helpers/engine-stack";
import { localForTests } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";

const workspace = localForTests();

const named = async (name: string) =>
  (await workspace.list("api-keys")).find((one) => one.name === name);

it.each(["@devid/pulumi", "@devid/pulumi/plugin"])(
  "overrides of stack config and of a provider apply, and a warning names those without a resource: %s",
  async (form) => {
    const { managementKey } = workspace.service.workspaces.us;
    const stack = await openForTest(EngineStack.open(workspace.env));
    const program = join(stack.workFolder, "index.js");
    const text = readFileSync(program, "utf8");
    writeFileSync(program, text.replace('"@devid/pulumi"', `"${form}"`));
    stack.addPlugin();
    const override = (names: readonly string[], rateLimit: number) => ({
      ApiKey: Object.fromEntries(names.map((name) => [name, { rateLimit }])),
    });
    const declare = (overrides: object) =>
      stack.declare(
        [
          declared("ApiKey", "shop", {
            name: "Shop",
            type: "secret",
            rateLimit: 5,
          }),
          declared(
            "ApiKey",
            "app",
            { name: "App", type: "secret", rateLimit: 5 },
            { provider: "other" },
          ),
        ],
        { other: { managementKey: `secret:${managementKey}`, overrides } },
      );
    declare(override(["app", "ap"], 30));
    await stack.configure(
      "devid:overrides",
      JSON.stringify(override(["shop", "shpo"], 20)),
    );
    for (const command of ["preview", "up --yes --skip-preview"]) {
      const { code, said } = await stack.operate(...command.split(" "));
      expect(code, said).toBe(0);
      expect(said).toContain('devid:overrides has no effect for ApiKey "shpo"');
      expect(said).toContain(
        'overrides of the provider "other" has no effect for ApiKey "ap"',
      );
      expect(said).toContain("resources of this kind are app, shop.");
      expect(said).not.toMatch(/has no effect for ApiKey "(shop|app)"/);
    }
    expect(await named("Shop")).toMatchObject({ rate_limit: 20 });
    expect(await named("App")).toMatchObject({ rate_limit: 30 });
    declare(override(["app"], 30));
    await stack.configure(
      "devid:overrides",
      JSON.stringify(override(["shop"], 20)),
    );
    const { said } = await stack.preview();
    expect(said).not.toContain("has no effect");
  },
);
