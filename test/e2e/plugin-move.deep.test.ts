import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { declared, EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { allow, rule } from "../rules/diff/rule";

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;

beforeAll(async () => {
  const { eu } = workspace.service.workspaces;
  stack = await EngineStack.open(workspace.env);
  stack.addPlugin();
  const shop = { name: "Shop staging", limitMode: "notify", limitValue: 9 };
  stack.declare(
    [
      declared("Environment", "staging", shop),
      declared("ApiKey", "server", {
        name: "Server",
        type: "secret",
        rateLimit: 20,
      }),
      {
        kind: "Webhook",
        as: "hook",
        args: {
          url: "http://127.0.0.1:9/hook",
          description: "secret:of the shop",
          environment: "$staging.id",
        },
      },
      declared("EncryptionKey", "seal", {
        environment: "$staging.id",
        status: "enabled",
      }),
      declared("FilteringRuleSet", "rules", {
        environment: "$staging.id",
        rules: [
          rule("bots", "http.user_agent.is_crawler_bot"),
          allow("office", "sdk.version == '3.0'"),
        ],
      }),
      declared("Component", "box", {}),
      declared(
        "ApiKey",
        "boxed",
        { name: "Boxed", type: "public" },
        { opts: { parent: "$box" } },
      ),
      declared(
        "ApiKey",
        "european",
        { name: "European", type: "public" },
        { provider: "eu" },
      ),
    ],
    { eu: { region: "eu", managementKey: `secret:${eu.managementKey}` } },
  );
});

afterAll(() => stack?.close());

/** Changes the only import of the program. */
function imports(name: string): void {
  const program = join(stack.workFolder, "index.js");
  const text = readFileSync(program, "utf8");
  writeFileSync(program, text.replace(/"@devid\/pulumi[^"]*"/, `"${name}"`));
}

/** The IDs and types of the objects in the state, by name. */
function objects(): Record<string, string[]> {
  return Object.fromEntries(
    stack
      .resources()
      .filter(
        ({ type }) =>
          type.includes("devid:") && !type.startsWith("pulumi:providers"),
      )
      .map(({ urn, type, id = "" }) => [
        urn.split("::").at(-1) ?? "",
        [type, id],
      ]),
  );
}

/** The objects with another prefix in their types. */
const renamed = (from: Record<string, string[]>, old: string, now: string) =>
  Object.fromEntries(
    Object.entries(from).map(([name, [type = "", id = ""]]) => [
      name,
      [type.replace(old, now), id],
    ]),
  );

it("a stack moves from the dynamic resources to the plugin's resources without a change, and back", async () => {
  await stack.up();
  const made = objects();
  expect(Object.keys(made).length).toBe(7);
  const mark = await workspace.mark();

  imports("@devid/pulumi/plugin");
  const preview = await stack.preview();
  // Only the explicit provider is replaced.
  expect(preview.changes).toEqual({ same: 9, create: 1, delete: 1 });
  expect(await stack.up()).toEqual(preview.changes);
  expect(objects()).toEqual(
    renamed(made, "pulumi-nodejs:dynamic/devid:", "devid:index:"),
  );
  // States of the plugin have no text for the dynamic host.
  expect(await stack.refresh()).toEqual({ same: 10 });

  imports("@devid/pulumi");
  // The text for the dynamic host is the only change.
  expect(await stack.up()).toEqual({
    same: 2,
    update: 7,
    create: 1,
    delete: 1,
  });
  expect(objects()).toEqual(made);
  expect(await workspace.writesSince(mark)).toEqual([]);

  const state = await stack.exported();
  const { us, eu } = workspace.service.workspaces;
  for (const secret of [us.managementKey, eu.managementKey, "of the shop"])
    expect(state).not.toContain(secret);
  expect((await stack.destroy()).changes).toEqual({ delete: 10 });
  expect(await workspace.list("api-keys")).toHaveLength(2);
});
