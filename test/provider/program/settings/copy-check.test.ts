import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  checkCopy,
  type CopyFacts,
} from "../../../../provider/src/program/settings/copy-check";
import {
  DeclaredResources,
  type DeclaredResource,
} from "../../../../provider/src/program/settings/declared-resources";
import { WorkspaceObjects } from "../../../../provider/src/program/settings/workspace-objects";
import { resourceType } from "../../../../provider/src/definition/engine-names";
import * as registry from "../../../../provider/src/registry";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { clientOf } from "../../../clone/write/exported";

type Kind = "ApiKey" | "Environment" | "FilteringRuleSet" | "Webhook";

const workspace = openForTests(new LocalWorkspace());
const ids: Record<string, string> = {};
/** The stack's state, by type. */
let inState: Record<string, Record<string, unknown>[]>;
let resources: DeclaredResources;

const HOOK = "https://hooks.example/a?key=hidden";

beforeAll(async () => {
  const post = async (as: string, path: string, body: object) =>
    (ids[as] = (
      (await workspace.call("POST", path, body)) as { id: string }
    ).id);
  await post("staging", "/environments", { name: "Staging" });
  await post("other", "/environments", { name: "Other" });
  for (const environment of ["staging", "other"])
    await post(`key in ${environment}`, "/api-keys", {
      name: "Browser",
      type: "public",
      environment: ids[environment],
    });
  await post("server", "/api-keys", { name: "Server", type: "secret" });
  for (const as of ["twin", "second twin"])
    await post(as, "/api-keys", { name: "Twin", type: "secret" });
  await post("hook", "/webhooks", { url: HOOK });
  await workspace.call("POST", "/filtering-rules/bulk", {
    environment: ids.staging,
    mode: "overwrite",
    rules: [{ name: "a", expression: "sdk.platform.is_ios", action: "deny" }],
  });
  await workspace.control("/us/webhooks", {
    url: "https://hooks.example/legacy",
    legacy: true,
  });
});

beforeEach(async () => {
  inState = {};
  opened = undefined;
  resources = new DeclaredResources(objects);
  // In a preview, the ID of a resource to be created is unknown.
  await pulumi.runtime.setMocks(
    {
      call: () => ({}),
      newResource: ({ inputs }) => ({ id: "", state: inputs as object }),
    },
    "shop",
    "us",
    true,
  );
});

let opened: WorkspaceObjects | undefined;
const objects = () =>
  Promise.resolve(
    (opened ??= new WorkspaceObjects(clientOf(workspace), {
      ofType: (type) =>
        new Map(
          (inState[type] ?? []).map((outputs, at) => [`urn:${at}`, outputs]),
        ),
    })),
  );

function declare(
  kind: Kind,
  name: string,
  props: pulumi.Inputs,
  more: Partial<DeclaredResource> = {},
): DeclaredResource {
  const one = {
    definition: registry[kind] as unknown as DeclaredResource["definition"],
    name,
    resource: {},
    props,
    isNew: () => Promise.resolve(true),
    isSettled: false,
    ...more,
  };
  resources.add(one);
  return one;
}

/** Declares an environment as a resource of the program. A preview does not know its ID. */
function declareEnvironment(name: string): devid.Environment {
  const resource = new devid.Environment(name.toLowerCase(), { name });
  declare("Environment", name.toLowerCase(), { name }, { resource });
  return resource;
}

const found = async () =>
  (await resources.inTheWay()).map(
    ({ declared, found }) =>
      `${declared.name}: ${found.map(({ id }) => id).join(" ")}`,
  );

describe("the check for objects that a program would create a second time", () => {
  it("compares the name or address, the type and the environment", async () => {
    const staging = declareEnvironment("Staging");
    const made = declareEnvironment("Made");
    const browser = { name: "Browser", type: "public" };
    declare("ApiKey", "here", { ...browser, environment: staging.id });
    declare("ApiKey", "in-new", { ...browser, environment: made.id });
    declare("ApiKey", "in-default", browser);
    declare("ApiKey", "by-id", { ...browser, environment: ids.other });
    declare("ApiKey", "server", { name: "Server", type: "secret" });
    declare("ApiKey", "proxy", { name: "Server", type: "proxy" });
    declare("Webhook", "hook", { url: HOOK, environment: made.id });
    expect(await found()).toEqual([
      `staging: ${ids.staging}`,
      `here: ${ids["key in staging"]}`,
      `by-id: ${ids["key in other"]}`,
      `server: ${ids.server}`,
      `hook: ${ids.hook}`,
    ]);
  });

  it("leaves out objects of the state, settled resources, the default environment and legacy webhooks", async () => {
    const [server] = (await workspace.list("api-keys")).filter(
      ({ id }) => id === ids.server,
    );
    inState = {
      [resourceType("ApiKey")]: [
        { name: "Server", createdAt: server?.created_at },
      ],
    };
    const key = { name: "Server", type: "secret" };
    declare("ApiKey", "again", key);
    declare("ApiKey", "settled", { ...key, name: "Twin" }, { isSettled: true });
    declare("ApiKey", "adopts", { ...key, name: "Twin", adopt: { id: "x" } });
    declare(
      "ApiKey",
      "old",
      { ...key, name: "Twin" },
      {
        isNew: () => Promise.resolve(false),
      },
    );
    declare("Environment", "default", { name: "Default" });
    declare("Webhook", "legacy", { url: "https://hooks.example/legacy" });
    expect(await found()).toEqual([]);
  });

  it("finds the rules of an environment, unless the rule set takes them over", async () => {
    const staging = declareEnvironment("Staging");
    const made = declareEnvironment("Made");
    const set = declare("FilteringRuleSet", "set", { environment: staging.id });
    const taken = { environment: staging.id, takeOver: true };
    declare("FilteringRuleSet", "taken", taken);
    const other = declare("FilteringRuleSet", "other", {});
    declare("FilteringRuleSet", "new", { environment: made.id });
    expect(await found()).toEqual([
      `staging: ${ids.staging}`,
      `set: ${ids.staging}`,
    ]);
    expect(await resources.isInTheWay(set)).toBe(true);
    expect(await resources.isInTheWay(other)).toBe(false);
  });

  it("lists each kind once", async () => {
    for (let count = 0; count < 9; count++) {
      declare("ApiKey", `key-${count}`, { name: "Server", type: "secret" });
      declare("Webhook", `hook-${count}`, { url: HOOK });
    }
    const mark = await workspace.mark();
    expect(await resources.inTheWay()).toHaveLength(18);
    const log = await workspace.requestsSince(mark);
    expect(log.map(({ path }) => path).sort()).toEqual([
      "/management/api-keys",
      "/management/webhooks",
    ]);
  });
});

describe("a resource that adopts by name", () => {
  it("adopts the only matching object, and otherwise creates one", async () => {
    const staging = declareEnvironment("Staging");
    const key = { name: "Browser", type: "public" };
    const one = declare("ApiKey", "a", { ...key, environment: staging.id });
    expect(await resources.toAdopt(one)).toEqual({ id: ids["key in staging"] });
    const none = declare("ApiKey", "b", key);
    expect(await resources.toAdopt(none)).toBeUndefined();
    const old = { ...one, isNew: () => Promise.resolve(false) };
    expect(await resources.toAdopt(old)).toBeUndefined();
  });

  it("fails when several objects match, and asks for an ID", async () => {
    const twin = declare("ApiKey", "twin", { name: "Twin", type: "secret" });
    await expect(resources.toAdopt(twin)).rejects.toThrow(
      `ApiKey twin cannot adopt by name, because the workspace has 2 such objects: ${ids.twin}, ${ids["second twin"]}.\nSay which one, or delete the others: pulumi config set --path settings.ApiKey.twin.adopt.id ${ids.twin}`,
    );
  });
});

it("finds an environment by name, first in the program and then in the workspace", async () => {
  const made = declareEnvironment("Made");
  expect(await resources.environmentId("Made")).toBe(made.id);
  expect(await resources.environmentId("made")).toBe(made.id);
  expect(await resources.environmentId("Other")).toBe(ids.other);
  await expect(resources.environmentId("Lost")).rejects.toThrow(
    `name the environment Lost, but neither the program nor the workspace has one. The workspace has Default (${workspace.service.workspaces.us.environment}), Staging (${ids.staging})`,
  );
});

it("does not wait in an update for values that wait for the check itself", async () => {
  resources = new DeclaredResources(objects, { isWaitedFor: true });
  const staging = declareEnvironment("Staging");
  const never = pulumi.output(new Promise<string>(() => undefined));
  const type = "public";
  const place = { environment: staging.id };
  declare("ApiKey", "browser", { name: "Browser", type, ...place });
  declare("ApiKey", "by value", { name: never, type });
  declare("Webhook", "by resource", { url: staging.id });
  expect(await found()).toEqual([
    `staging: ${ids.staging}`,
    `browser: ${ids["key in staging"]}`,
  ]);
});

describe("a copy", () => {
  const here = () => workspace.service.workspaces.us.environment;
  const check = (facts: Partial<CopyFacts> = {}) =>
    checkCopy({
      declared: resources,
      objects,
      setting: () => undefined,
      ...facts,
    });

  it("in another workspace gets a warning that names the existing objects, and how to adopt them", async () => {
    declare("Environment", "staging", { name: "Staging" });
    declare("Webhook", "hook", { url: HOOK });
    declare("FilteringRuleSet", "set", { environment: ids.staging });
    const lines = [
      "The workspace in region us already has what this stack would create, under the same name or address:",
      `  Environment staging: "Staging" exists (${ids.staging})`,
      `  Webhook hook: "https://hooks.example/a?[redacted]" exists (${ids.hook})`,
      "  FilteringRuleSet set: is there already (" + ids.staging + ")",
      "Each would be created a second time, and rules would be refused. To adopt all of it instead:",
      "  pulumi config set --path settings.adopt byName",
    ];
    for (const exportedFrom of [undefined, { workspace: "ae_elsewhere" }])
      expect(await check({ exportedFrom })).toBe(lines.join("\n"));
    expect(await check({ adopt: "byName" })).toBeUndefined();
  });

  it("in the workspace of its export is refused while names and addresses are the same", async () => {
    declare("Environment", "staging", { name: "Staging" });
    declare("Webhook", "hook", { url: HOOK });
    const exportedFrom = { workspace: here() };
    await expect(check({ exportedFrom })).rejects.toThrow(
      [
        `This stack is new, and its program was exported from this very workspace (default environment ${here()}), so it would create a second time what is there:`,
        `  Environment staging: "Staging" exists (${ids.staging})`,
        `  Webhook hook: "https://hooks.example/a?[redacted]" exists (${ids.hook})`,
        "To manage what is there, import it first, as README.md of the export says.",
        "To create a copy beside it, give each object a name or address of its own:",
        '  pulumi config set --path settings.Environment.staging.name "Another name"',
        "  pulumi config set --path settings.Webhook.hook.url https://...",
      ].join("\n"),
    );
    declare(
      "ApiKey",
      "old",
      { name: "x", type: "secret" },
      {
        isNew: () => Promise.resolve(false),
      },
    );
    expect(await check({ exportedFrom })).toContain("a second time");
  });

  it("gets no warning during a recovery of its state, because then everything exists", async () => {
    declare("Environment", "staging", { name: "Staging" });
    vi.stubEnv("DEVID_OFFLINE", "true");
    const exportedFrom = { workspace: here() };
    expect(
      await check({ exportedFrom }).finally(() => vi.unstubAllEnvs()),
    ).toBeUndefined();
  });

  it("of a single environment must get a new name", async () => {
    const exportedFrom = { workspace: here(), environment: "Default" };
    declare("ApiKey", "server", { name: "Server", type: "secret" });
    await expect(check({ exportedFrom })).rejects.toThrow(
      [
        "what is there:",
        "  the environment Default, because environmentName is not set",
        "To manage what is there, import it first, as README.md of the export says.",
        "To create a copy beside it, give each object a name or address of its own:",
        '  pulumi config set environmentName "Another name"',
      ].join("\n"),
    );
    const setting = () => "Another";
    await expect(check({ exportedFrom, setting })).rejects.toThrow(
      "settings.ApiKey.server.name",
    );
  });
});
