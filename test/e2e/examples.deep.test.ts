import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareWorkspaces, readWorkspace, select } from "@devid/clone";
import { createClient, optionsFromEnvironment, type Region } from "@devid/sdk";
import { expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { localForTests } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";
import { ROOT, textOf } from "../helpers/repository";

const workspace = localForTests();

/** A stack of an example, closed after the test. */
const openExample = (name: string, settings = workspace.env) =>
  openForTest(EngineStack.open(settings, join(ROOT, "examples", name)));

it("regions: one program, two workspaces", async () => {
  const found = [
    await workspace.contents("us"),
    await workspace.contents("eu"),
  ];
  const stack = await openExample("regions");
  const { managementKey } = workspace.service.workspaces.eu;
  await stack.configure("managementKeyEu", managementKey, { secret: true });
  // Two keys, two rule sets, the stack and the explicit provider.
  expect(await stack.up()).toEqual({ create: 6 });
  for (const region of ["us", "eu"] as const) {
    const keys = await workspace.list("api-keys", region);
    expect(keys.map((key) => key.name)).toContain(`Shop (${region})`);
    const rules = await workspace.list("filtering-rules", region);
    expect(rules).toMatchObject([
      {
        name: "block-crawlers",
        environment: workspace.service.workspaces[region].environment,
      },
    ]);
  }

  // The provider's key from another variable, as docs/configuration.md shows it.
  const program = join(stack.workFolder, "index.ts");
  const changed = readFileSync(program, "utf8")
    .replace(
      /\n {2}managementKey: .*\n\}\)/,
      '},\n{ envVarMappings: { SECOND_KEY: "DEVID_MANAGEMENT_KEY" } })',
    )
    .replace("`Shop (${region})`", "`Pages (${region})`");
  writeFileSync(program, changed);
  stack.set({ SECOND_KEY: managementKey });
  expect(await stack.up()).toEqual({ update: 3, same: 3 });
  const keys = await workspace.list("api-keys", "eu");
  expect(keys.map((key) => key.name)).toContain("Pages (eu)");

  await stack.destroy();
  const left = [await workspace.contents("us"), await workspace.contents("eu")];
  expect(left).toEqual(found);
});

/**
 * Fills a workspace with what examples/events reads: an event of a visitor, two of bad
 * bots, a device reputation and an API key. @returns the config of its stack
 */
async function fillForEventsExample() {
  await workspace.control("/us/events", [
    { identification: { visitor_id: "v-1" }, url: "https://shop.example/" },
    { bot: "bad" },
    { bot: "bad" },
  ]);
  await workspace.control("/us/drn/v-1", {
    regionalActivity: {
      startDate: "2026-01-01T00:00:00Z",
      endDate: "2026-01-31T00:00:00Z",
      countries: [
        { code: "FR", detectors: [{ type: "ip", activityPercentage: 1 }] },
      ],
    },
  });
  const { id, token } = await workspace.make("/api-keys", {
    name: "Shop pages",
    type: "public",
  });
  return { config: { visitorId: "v-1", agentKey: id }, token };
}

it("events: a preview and an update read a visitor's events and objects of other programs, and the same over the plugin", async () => {
  const { config, token } = await fillForEventsExample();
  const before = await workspace.requestsSince(0);
  const stack = await openExample("events");
  for (const [name, value] of Object.entries(config))
    await stack.configure(name, value);
  expect((await stack.preview()).text).toContain("https://shop.example/");

  await stack.up();
  const outputs = await stack.outputs();
  expect(outputs.visitor).toMatchObject({
    events: 1,
    lastUrl: "https://shop.example/",
    countries: ["FR"],
  });
  expect(outputs.badBots).toBe(2);
  expect(outputs.environment).toBe("Default");
  expect(outputs.publicToken).toBe("[secret]");
  expect(await stack.outputs({ showSecrets: true })).toMatchObject({
    publicToken: token,
  });
  expect(await stack.exported()).not.toContain(token);

  const shown = await stack.outputs({ showSecrets: true });
  stack.addPlugin();
  const program = join(stack.workFolder, "index.ts");
  const text = readFileSync(program, "utf8");
  const moved = text.replace('"@devid/pulumi"', '"@devid/pulumi/plugin"');
  expect(moved).not.toBe(text);
  writeFileSync(program, moved);
  await stack.up();
  expect(await stack.outputs({ showSecrets: true })).toEqual(shown);
  expect(await stack.outputs()).toEqual(outputs);
  expect(await stack.exported()).not.toContain(token);
  expect(stack.output).not.toContain(token);
  expect(await workspace.writesSince(before.at(-1)?.n ?? 0)).toEqual([]);
});

it("cloned: one program, three workspaces that differ as the config of their stacks says", async () => {
  const settingsOf = (region: Region) => ({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces[region].managementKey,
  });
  const read = async (region: Region) => {
    const env = { ...settingsOf(region), DEVID_REGION: region };
    const client = createClient(optionsFromEnvironment([], env));
    return { name: region, selection: select(await readWorkspace(client)) };
  };
  for (const region of ["us", "eu", "ap"] as const) {
    const stack = await openExample("cloned", settingsOf(region));
    const config = textOf(`examples/cloned/Pulumi.${region}.example.yaml`);
    appendFileSync(join(stack.workFolder, "Pulumi.test.yaml"), config);
    expect(await stack.up()).toEqual({ create: 11 });
  }
  const differencesOf = async (region: Region) => {
    const sides = [await read("us"), await read(region)] as const;
    const { objects, ruleSets } = compareWorkspaces(...sides);
    return [
      ...objects.map(({ change, what, name, fields = [] }) =>
        [
          ...[change, what, name],
          ...fields.map(({ field, after }) => `${field}=${String(after)}`),
        ].join(" "),
      ),
      ...ruleSets.flatMap(({ environment, diff }) =>
        diff.changes.map(
          ({ kind, rule }) => `${kind} ${rule.name} of ${environment}`,
        ),
      ),
    ].sort();
  };
  expect(await differencesOf("eu")).toEqual([
    "added block-eu-test-network of the default environment",
    "added webhook https://hooks.eu.shop.example/fraud",
    "changed API key Shop server rateLimit=20",
    "removed block-us-office of the default environment",
    "removed webhook https://hooks.shop.example/fraud",
  ]);
  expect(await differencesOf("ap")).toEqual([
    "changed API key Shop browser status=disabled",
    "changed API key Shop server status=disabled",
    "changed encryption key of the default environment status=disabled",
    "changed webhook https://hooks.shop.example/fraud status=disabled",
    "removed block-us-office of the default environment",
  ]);
});
