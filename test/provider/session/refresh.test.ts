import { beforeEach, describe, expect, it } from "vitest";
import type { Kind } from "../../helpers/provider-host";
import type { Properties } from "../../simulation/engine/property-value";
import { HostedResource } from "../../helpers/hosted-resource";
import { hostForTests } from "../host-for-tests";

const { workspace, host } = hostForTests();
beforeEach(() => workspace.reset());

/** Five objects of a kind, so that a list serves a refresh of all of them. */
const five = async (kind: Kind, program: (i: number) => Properties) =>
  Promise.all(
    [1, 2, 3, 4, 5].map(async (i) => {
      const resource = new HostedResource(host, kind);
      await resource.up(program(i));
      return resource;
    }),
  );
const refresh = async (resources: readonly HostedResource[]) => {
  const mark = await workspace.mark();
  await Promise.all(resources.map((resource) => resource.refresh()));
  return (await workspace.requestsSince(mark)).map(({ path }) => path);
};
/** Makes lists return records without some of their fields. */
const shorten = async (collection: string, fields: readonly string[]) => {
  const records = (await workspace.list(collection)).map((record) =>
    Object.fromEntries(
      Object.entries(record).filter(([name]) => !fields.includes(name)),
    ),
  );
  await workspace.fault({
    match: { method: "GET", path: `/management/${collection}` },
    then: { status: 200, body: { data: records } },
  });
};

describe("a refresh that a list serves", () => {
  it.each<[Kind, string, (i: number) => Properties]>([
    ["ApiKey", "api-keys", (i) => ({ name: `Key ${i}`, type: "secret" })],
    ["ApiKey", "api-keys", (i) => ({ name: `Key ${i}`, type: "public" })],
    ["Environment", "environments", (i) => ({ name: `Part ${i}` })],
    ["Webhook", "webhooks", (i) => ({ url: `https://hooks.example/${i}` })],
  ])("changes nothing: %s", async (kind, collection, program) => {
    const resources = await five(kind, program);
    const before = resources.map(({ state }) => state);
    expect(await refresh(resources)).toEqual([`/management/${collection}`]);
    expect(resources.map(({ state }) => state)).toEqual(before);
  });

  it("loses no token that the list omits", async () => {
    const environments = await five("Environment", (i) => ({
      name: `Part ${i}`,
    }));
    const keys = environments.map(({ id }) => {
      const key = new HostedResource(host, "EncryptionKey");
      return key.up({ environment: id, rotation: "1" }).then(() => key);
    });
    const publicKeys = await five("ApiKey", (i) => ({
      name: `Key ${i}`,
      type: "public",
    }));
    const all = [...(await Promise.all(keys)), ...publicKeys];
    const before = all.map(({ state }) => state);
    expect(before[0]).toHaveProperty("nextToken");
    await shorten("encryption-keys", ["token", "next_token"]);
    await shorten("api-keys", ["token"]);
    const paths = await refresh(all);
    expect(all.map(({ state }) => state)).toEqual(before);
    // The state has the token of a public key, but an encryption key may have been rotated, so each is read.
    expect(paths).toHaveLength(2 + 5);
  });

  it("loses no credentials of a legacy webhook that the list omits", async () => {
    const basic_auth = { username: "shop", password: "p4ssw0rd" };
    const webhooks = await five("Webhook", (i) => ({
      url: `https://hooks.example/${i}`,
    }));
    const { id } = (await workspace.control("/us/webhooks", {
      url: "https://hooks.example/old",
      legacy: true,
      basic_auth,
    })) as { id: string };
    const legacy = new HostedResource(host, "Webhook");
    await legacy.up({ url: "https://hooks.example/old", adopt: { id } });
    expect(legacy.state).toMatchObject({ basicAuth: basic_auth });
    await shorten("webhooks", ["basic_auth"]);
    const paths = await refresh([...webhooks, legacy]);
    expect(paths).toEqual([
      "/management/webhooks",
      `/management/webhooks/${id}`,
    ]);
    expect(legacy.state).toMatchObject({ basicAuth: basic_auth });
  });
});

it("a refresh of 200 webhooks and 100 API keys makes five calls, shows changes and loses no token", async () => {
  const times = (count: number, program: (i: number) => [Kind, Properties]) =>
    Array.from({ length: count }, (_, i) => program(i));
  const resources = await Promise.all(
    [
      ...times(200, (i) => ["Webhook", { url: `https://hooks.example/${i}` }]),
      ...times(100, (i) => [
        "ApiKey",
        { name: `Key ${i}`, type: i % 2 ? "secret" : "public" },
      ]),
    ].map(async ([kind, program]) => {
      const resource = new HostedResource(host, kind);
      await resource.up(program);
      return resource;
    }),
  );
  const before = resources.map(({ state }) => state);
  expect(before.filter((state) => "token" in state)).toHaveLength(100);

  // The next command, which does not know its workspace yet.
  await host.stop();
  expect((await refresh(resources)).sort()).toEqual([
    ...["/management/api-keys", "/management/api-keys"],
    "/management/environments",
    ...["/management/webhooks", "/management/webhooks"],
  ]);
  expect(resources.map(({ state }) => state)).toEqual(before);
  const [changed] = resources;
  await workspace.call("PATCH", `/webhooks/${changed?.id}`, {
    description: "by hand",
  });
  await host.stop();
  await refresh(resources);
  expect(changed?.state).toMatchObject({ description: "by hand" });
  const states = resources.slice(1).map(({ state }) => state);
  expect(states).toEqual(before.slice(1));
}, 60_000);
