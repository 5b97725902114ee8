import * as devid from "@devid/pulumi";
import * as plugin from "@devid/pulumi/plugin";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../../helpers/cells-of";
import type { Properties } from "../../../simulation/engine/property-value";
import { mocksForTests, valueOf, type Registered } from "../../pulumi-mocks";

const registered = mocksForTests();

const settingsIn = ({ inputs = {} }: Partial<Registered> = {}): Properties =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && "value" in value
        ? { secret: value.value }
        : value,
    ]),
  );

/** The members whose names begin with a prefix, without it. */
const below = (prefix: string, settings: Properties): Properties =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );

/** Constructs a provider under a stack config. Returns its properties, with secrets as `{secret}`. */
async function propertiesOf(
  args: devid.ProviderArgs,
  stack: Record<string, string> = {},
): Promise<Properties> {
  const config = Object.entries(stack).map(([k, v]) => [`devid:${k}`, v]);
  pulumi.runtime.setAllConfig(Object.fromEntries(config) as typeof stack);
  await valueOf(new devid.Provider("workspace", args).id);
  await valueOf(new plugin.Provider("workspace", args).id);
  expect(registered.map(({ type }) => type)).toEqual([
    "pulumi:providers:pulumi-nodejs",
    "pulumi:providers:devid",
  ]);
  const [properties, ofPlugin] = registered.map(settingsIn);
  // The plugin gets the stack's settings where the program gives none.
  expect(ofPlugin).toEqual({
    ...below("devid:", properties ?? {}),
    ...below("devid.Provider:", properties ?? {}),
  });
  return properties ?? {};
}

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

  /** The regions of the program and of the stack; both settings are passed on. */
  const REGIONS = `
no region
the default region | us
the region of the stack | ap | ap
a region that is blank in the stack | us | " "
no region of its own and a region in the stack | | ap
`;

  it.each(cellsOf(REGIONS))(
    "uses stack config with %s",
    async (_, own, other) => {
      const region = own && (parse(own) as "us");
      const ofStack = other && (parse(other) as string);
      const args = region ? { region } : {};
      const expected = {
        ...(region && { "devid.Provider:region": region }),
        ...(ofStack && { "devid:region": ofStack }),
      };
      vi.stubEnv("DEVID_REGION", "");
      const properties = await propertiesOf(args, {
        ...stack,
        ...(ofStack && { region: ofStack }),
      });
      expect(properties).toEqual({ ...all, ...expected });
    },
  );

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

  it.each([devid, plugin])("refuses an unknown region (%#)", ({ Provider }) => {
    const mars = "mars" as "us";
    expect(() => new Provider("x", { region: mars })).toSay(
      "config/region-of-a-provider",
    );
    expect(registered).toEqual([]);
  });
});
