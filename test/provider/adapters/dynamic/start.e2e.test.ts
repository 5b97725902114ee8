import { afterEach, describe, expect, it } from "vitest";
import { DynamicHost } from "../../../helpers/dynamic-host";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { KINDS } from "../../kind-rows";
import { settingsOf } from "../../settings-of";

let host: DynamicHost;
const workspace = openForTests(new LocalWorkspace());
afterEach(() => host.stop());

const createTen = () =>
  Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      host.create("ApiKey", {
        name: `Key ${i}`,
        type: "secret",
        status: "enabled",
      }),
    ),
  );

async function expectTenKeys(
  made: Awaited<ReturnType<typeof createTen>>,
): Promise<void> {
  const ids = new Set(made.map(({ id }) => id));
  const tokens = new Set(made.map(({ properties }) => properties.token));
  expect([ids.size, tokens.size]).toEqual([10, 10]);
  const known = (await workspace.list("api-keys")).map(({ id }) => id);
  expect(known).toEqual(expect.arrayContaining([...ids]));
}

describe("ten creations at once, the first calls of a host,", () => {
  it("all use the configuration", async () => {
    host = await DynamicHost.start(settingsOf(workspace));
    await expectTenKeys(await createTen());
  });

  it("all wait for a configuration that arrives later", async () => {
    host = await DynamicHost.start();
    const configured = host.configure(settingsOf(workspace));
    await expectTenKeys(await createTen());
    await configured;
  });
});

describe("a host without a management key", () => {
  const places = [
    "The management API key of region eu is missing. devid looked for it in these places, in this order:",
    "  1. devid.Provider argument managementKey",
    "  2. stack config devid:managementKey",
    "  3. environment DEVID_MANAGEMENT_KEY_EU, then DEVID_MANAGEMENT_KEY",
  ].join("\n");

  it("fails every check, and lists once, in order, the places where it looked for a key", async () => {
    const { "devid:managementKey": _, ...settings } = settingsOf(workspace);
    host = await DynamicHost.start({ ...settings, "devid:region": "eu" });
    const reasons: string[] = [];
    for (const kind of KINDS) {
      const { failures } = await host.check(kind, {});
      const own = failures.filter(({ property }) => property === "");
      expect(own).toHaveLength(1);
      reasons.push(...own.map(({ reason }) => reason));
    }
    // Only the first failure lists the places. Nobody reads the list five times.
    expect(reasons[0]).toContain(places);
    const others = KINDS.slice(1).map(
      () =>
        "No management key is configured; an error above says where to set one.",
    );
    expect(reasons.slice(1)).toEqual(others);
    await expect(
      host.create("ApiKey", { name: "Shop", type: "public" }),
    ).rejects.toThrow(places);
  });
});

it("the error of a wrong management key names the place that the key came from", async () => {
  host = await DynamicHost.start({
    ...settingsOf(workspace),
    "devid.Provider:managementKey": "not-the-management-key",
  });
  const failing = host.create("Environment", { name: "Staging" });
  await expect(failing).rejects.toThrow(
    /Listing environments failed: 401 .*devid\.Provider argument managementKey/,
  );
});

it("the error of an invalid setting names the place that the setting came from", async () => {
  host = await DynamicHost.start({
    ...settingsOf(workspace),
    "devid:region": "mars",
  });
  await expect(host.check("Environment", {})).rejects.toThrow(
    '"mars" (stack config devid:region) is not a region',
  );
});
