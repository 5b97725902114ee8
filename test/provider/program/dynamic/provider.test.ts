import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Properties } from "../../../helpers/dynamic-host";
import { mocksForTests, valueOf } from "../../pulumi-mocks";

const registered = mocksForTests();

/** Constructs a provider under a stack config. Returns its properties, with secrets as `{secret}`. */
async function propertiesOf(
  args: devid.ProviderArgs,
  stack: Record<string, string> = {},
): Promise<Properties> {
  const config = Object.entries(stack).map(([k, v]) => [`devid:${k}`, v]);
  pulumi.runtime.setAllConfig(Object.fromEntries(config) as typeof stack);
  const provider = new devid.Provider("workspace", args);
  await valueOf(provider.id);
  expect(registered[0]?.type).toBe("pulumi:providers:pulumi-nodejs");
  const properties = Object.entries(registered[0]?.inputs ?? {});
  return Object.fromEntries(
    properties.map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && "value" in value
        ? { secret: value.value }
        : value,
    ]),
  );
}

afterEach(() => vi.unstubAllEnvs());

const stack = {
  managementKey: "key-of-the-stack",
  secretKey: "secret-of-the-stack",
  endpoint: "http://127.0.0.1:9",
  eventsUrl: "http://127.0.0.1:9/us",
  requestsPerSecond: "7",
};

describe("a Provider", () => {
  it("passes its arguments as text, keys as secrets", async () => {
    const properties = await propertiesOf({
      region: "eu",
      managementKey: "a-management-key",
      secretKey: pulumi.output("a-secret-key"),
      endpoint: "http://127.0.0.1:9",
      managementUrl: "http://127.0.0.1:9/m",
      eventsUrl: "http://127.0.0.1:9/e",
      drnUrl: "http://127.0.0.1:9/d",
      apiVersion: "2025-11-20",
      requestsPerSecond: 3,
      eventsRequestsPerSecond: "off",
    });
    expect(properties).toEqual({
      "devid.Provider:region": "eu",
      "devid.Provider:managementKey": { secret: "a-management-key" },
      "devid.Provider:secretKey": { secret: "a-secret-key" },
      "devid.Provider:endpoint": "http://127.0.0.1:9",
      "devid.Provider:managementUrl": "http://127.0.0.1:9/m",
      "devid.Provider:eventsUrl": "http://127.0.0.1:9/e",
      "devid.Provider:drnUrl": "http://127.0.0.1:9/d",
      "devid.Provider:apiVersion": "2025-11-20",
      "devid.Provider:requestsPerSecond": "3",
      "devid.Provider:eventsRequestsPerSecond": "off",
    });
  });

  it("leaves out arguments that are undefined", async () => {
    const none = pulumi.output<string | undefined>(undefined);
    const properties = await propertiesOf(
      { endpoint: none, apiVersion: undefined },
      { endpoint: stack.endpoint },
    );
    expect(properties).toEqual({ "devid:endpoint": stack.endpoint });
  });

  const all = {
    "devid:managementKey": { secret: stack.managementKey },
    "devid:secretKey": { secret: stack.secretKey },
    "devid:endpoint": stack.endpoint,
    "devid:eventsUrl": stack.eventsUrl,
    "devid:requestsPerSecond": "7",
  };

  it.each<[string, devid.ProviderArgs, Record<string, string>, Properties]>([
    ["no region", {}, {}, {}],
    [
      "the default region",
      { region: "us" },
      {},
      { "devid.Provider:region": "us" },
    ],
    [
      "the region of the stack",
      { region: "ap" },
      { region: "ap" },
      { "devid.Provider:region": "ap", "devid:region": "ap" },
    ],
    [
      "a region that is blank in the stack",
      { region: "us" },
      { region: " " },
      { "devid.Provider:region": "us", "devid:region": " " },
    ],
    [
      "no region of its own and a region in the stack",
      {},
      { region: "ap" },
      { "devid:region": "ap" },
    ],
  ])("uses stack config with %s", async (_, args, region, expected) => {
    vi.stubEnv("DEVID_REGION", "");
    const properties = await propertiesOf(args, { ...stack, ...region });
    expect(properties).toEqual({ ...all, ...expected });
  });

  it.each<[devid.ProviderArgs, Record<string, string>]>([
    [{ region: "eu" }, {}],
    [{ region: "eu" }, { region: "us" }],
    [{ region: "us" }, { region: "eu" }],
  ])("uses no stack key for another region: %j %j", async (args, region) => {
    const properties = await propertiesOf(args, { ...stack, ...region });
    expect(Object.keys(properties).sort()).toEqual(
      [
        "devid.Provider:region",
        "devid:endpoint",
        ...Object.keys(region).map((name) => `devid:${name}`),
        "devid:requestsPerSecond",
      ].sort(),
    );
  });

  it("refuses an unknown region", () => {
    const mars = "mars" as "us";
    expect(() => new devid.Provider("x", { region: mars })).toSay(
      "config/region-of-a-provider",
    );
    expect(registered).toEqual([]);
  });
});
