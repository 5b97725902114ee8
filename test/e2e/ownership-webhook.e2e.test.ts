import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;
let receiver: Server;
let origin: string;
/** Paths of the requests that the receiver got. */
const received: string[] = [];

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
  receiver = createServer((request, response) => {
    request.resume();
    received.push(String(request.url));
    response.writeHead(request.url === "/broken" ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  stack?.close();
  receiver?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

const legacyAt = async (path: string) => {
  const old = { url: origin + path, legacy: true, verified: true };
  const made = await workspace.control("/us/webhooks", old);
  return (made as { id: string }).id;
};
const hook = (as: string, args: Record<string, unknown>): Declared => ({
  kind: "Webhook",
  as,
  args,
});
const webhooks = async () =>
  Object.fromEntries(
    (await workspace.list("webhooks")).map((one) => [String(one.id), one]),
  );
const idInState = async (name: string) =>
  String(
    (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.id,
  );

/** Runs an update; answers its words, counts and what it wrote. */
async function up() {
  const mark = await workspace.mark();
  const before = stack.output.length;
  const changes = await stack.up();
  const writes = (await workspace.requestsSince(mark))
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
  return { changes, writes, said: stack.output.slice(before) };
}

it("runs a verified webhook beside the legacy one, until an input retires that", async () => {
  const legacy = await legacyAt("/hook");
  const beforeBroken = await legacyAt("/broken-v3");
  const program = (more: object): Declared[] => [
    hook("v4", {
      url: `${origin}/hook`,
      verify: true,
      replacesLegacy: legacy,
      ...more,
    }),
    hook("unverified", {
      url: `${origin}/broken`,
      replacesLegacy: beforeBroken,
      ...more,
    }),
  ];
  stack.declare(program({}));
  const first = await up();
  expect.soft(first.changes).toEqual({ create: 3 });
  expect.soft(first.said).toContain(legacy);
  expect.soft(first.said).toContain("retireLegacy");
  const own = await idInState("v4");
  const sideBySide = await webhooks();
  expect.soft(sideBySide[own]).toMatchObject({ legacy: false, verified: true });
  expect
    .soft(sideBySide[legacy])
    .toMatchObject({ legacy: true, status: "enabled" });
  expect.soft((await stack.preview()).changes).toEqual({ same: 3 });

  // An event reaches both.
  const seen = received.length;
  await workspace.control("/identify/us", {
    publicKey: workspace.service.workspaces.us.publicKey,
    url: "https://shop.example/",
    headers: { "user-agent": ["Mozilla/5.0"] },
    ip: "203.0.113.5",
  });
  await expect
    .poll(() => received.slice(seen).filter((path) => path === "/hook"), {
      timeout: 5_000,
    })
    .toHaveLength(2);

  stack.declare(program({ retireLegacy: true }));
  const { text } = await stack.preview();
  expect.soft(text).toContain("retireLegacy");
  const second = await up();
  expect.soft(second.writes).toEqual([`DELETE /management/webhooks/${legacy}`]);
  const left = await webhooks();
  expect.soft(Object.keys(left)).not.toContain(legacy);
  // The other one is not verified: its legacy webhook stays, and that is said.
  expect.soft(Object.keys(left)).toContain(beforeBroken);
  expect(second.said).toContain(beforeBroken);
});

it("sends what changed, and nothing else", async () => {
  const program = (
    of: Record<"key" | "v4" | "staging", Record<string, unknown>>,
  ): Declared[] => [
    {
      kind: "ApiKey",
      as: "key",
      args: { name: "Server", type: "secret", ...of.key },
    },
    hook("v4", { url: "https://hooks.example/a", ...of.v4 }),
    {
      kind: "Environment",
      as: "staging",
      args: { name: "Staging", ...of.staging },
    },
  ];
  const declared = { description: "Declared" };
  stack.declare(program({ key: {}, v4: {}, staging: declared }));
  await stack.up();
  const [key, v4, staging] = [
    `/api-keys/${await idInState("key")}`,
    `/webhooks/${await idInState("v4")}`,
    `/environments/${await idInState("staging")}`,
  ] as const;
  const byHand = { description: "By hand" };
  await workspace.call("PATCH", key, byHand);
  await workspace.call("PATCH", v4, byHand);

  // What the program never said stays as it is; what it takes back is null.
  stack.declare(
    program({
      key: { name: "Server 2" },
      v4: { status: "disabled" },
      staging: {},
    }),
  );
  expect((await up()).changes).toMatchObject({ update: 3 });
  expect
    .soft(await workspace.call("GET", key))
    .toMatchObject({ name: "Server 2", ...byHand });
  expect
    .soft(await workspace.call("GET", v4))
    .toMatchObject({ status: "disabled", ...byHand });
  const environments = await workspace.list("environments");
  expect
    .soft(environments.find(({ id }) => staging.endsWith(String(id))))
    .toMatchObject({ description: null });

  stack.declare(
    program({
      key: { name: "Server 2" },
      v4: { status: "disabled", verifyTimeoutSeconds: 5 },
      staging: {},
    }),
  );
  const { changes, writes } = await up();
  expect.soft(changes).toMatchObject({ update: 1 });
  expect(writes).toEqual([]);
});

it("says that an object was deleted behind the program's back, and what to run", async () => {
  const objects = {
    key: `/api-keys/${await idInState("key")}`,
    v4: `/webhooks/${await idInState("v4")}`,
    staging: `/environments/${await idInState("staging")}`,
  };
  for (const path of Object.values(objects))
    await workspace.call("DELETE", path);
  stack.declare([
    {
      kind: "ApiKey",
      as: "key",
      args: { name: "Server 3", type: "secret" },
    },
    hook("v4", { url: "https://hooks.example/b" }),
    { kind: "Environment", as: "staging", args: { name: "Staging 3" } },
  ]);
  const said = await stack.failingUp("--continue-on-error");
  for (const path of Object.values(objects)) {
    const id = path.split("/").at(-1) ?? "";
    const [, aboutIt = ""] = said.split("Diagnostics:");
    expect
      .soft(aboutIt)
      .toMatch(
        new RegExp(
          `${id}[^]{0,400}pulumi refresh|pulumi refresh[^]{0,400}${id}`,
        ),
      );
  }
  expect(await stack.up("--refresh")).toMatchObject({ create: 3 });
  const names = (await workspace.list("api-keys")).map(({ name }) => name);
  expect(names).toContain("Server 3");
});
