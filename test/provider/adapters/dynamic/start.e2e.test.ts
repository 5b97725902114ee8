import { afterEach, describe, expect, it } from "vitest";
import { DynamicHost } from "../../../helpers/dynamic-host";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { settingsOf } from "../../settings-of";

let host: DynamicHost;
const workspace = sharedForTests();
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
    '"mars" (stack config devid:region, which pulumi refresh and pulumi destroy read only with --run-program) is not a region',
  );
});
