import { beforeEach, describe, expect, it } from "vitest";
import type { HostError } from "../../helpers/protocol-provider";
import type { Kind } from "../../helpers/provider-host";
import type { Properties } from "../../simulation/engine/property-value";
import { HostedResource } from "../../helpers/hosted-resource";
import { UNKNOWN as UNKNOWN_VALUE } from "../../../provider/src/definition/value";
import { hostForTests } from "../host-for-tests";
import { commandOn } from "../lifecycle-of";
import { rejection } from "../../sdk/workspace";

const { workspace, host } = hostForTests();
beforeEach(async () => {
  await workspace.reset();
  host.stderr = "";
});

/** How the engine passes a value that it does not know yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const make = (collection: string, body: object) =>
  workspace.make(`/${collection}`, body);
const get = (collection: string, { id }: { id: string }) =>
  workspace.call("GET", `/${collection}/${id}`);
const up = async (kind: Kind, program: Properties) => {
  const resource = new HostedResource(host, kind);
  expect(await resource.up(program)).toBe("create");
  return resource;
};
const url = "https://shop.example/hook";

describe("an existing object", () => {
  it("has the outputs that the preview of its adoption knows", async () => {
    const { id: environment } = await make("environments", { name: "Staging" });
    const key = { name: "Shop", type: "secret" };
    const { id } = await make("api-keys", { ...key, environment });
    const lifecycle = commandOn(workspace).lifecycle("ApiKey");
    const news = { ...key, adopt: { id } };
    const { inputs } = await lifecycle.check({ news });
    const preview = await lifecycle.create({ inputs, dryRun: true });
    const { state } = await lifecycle.create({ inputs });
    const known = Object.entries(preview.state).filter(
      ([, value]) => value !== UNKNOWN_VALUE,
    );
    expect(state).toMatchObject(Object.fromEntries(known));
    expect(state.environmentId).toBe(environment);
  });

  it("is adopted by its ID and updated to its declaration, with a message", async () => {
    const found = await make("api-keys", { name: "Shop", type: "public" });
    const mark = await workspace.mark();
    const key = await up("ApiKey", {
      name: "Store",
      type: "public",
      rateLimit: 9,
      adopt: { id: found.id },
    });
    expect(key.id).toBe(found.id);
    expect(key.state).toMatchObject({ name: "Store", token: found.token });
    expect(await get("api-keys", key)).toMatchObject({
      name: "Store",
      rate_limit: 9,
    });
    expect(await workspace.writesSince(mark)).toEqual([
      `PATCH /api-keys/${found.id}`,
    ]);
    expect(host.stderr).toBe(
      `ApiKey ${found.id} exists and will be adopted; this changes its name, rateLimit.\n` +
        `ApiKey ${found.id} existed and was adopted; changed: name, rateLimit.\n`,
    );
  });

  it("that matches its declaration is adopted without a write", async () => {
    const program = { name: "Shop", type: "secret" };
    const { id } = await make("api-keys", program);
    const mark = await workspace.mark();
    const adopt = { id };
    const key = await up("ApiKey", { ...program, rotation: "1", adopt });
    expect(key.id).toBe(id);
    expect(await workspace.writesSince(mark)).toEqual([]);
    expect(host.stderr).toBe(
      `ApiKey ${id} exists and will be adopted; it is as declared.\n` +
        `ApiKey ${id} existed and was adopted; it was as declared.\n`,
    );
    expect(key.state).not.toHaveProperty("token");
  });

  it("stays unchanged, and out of the state, when the update is refused", async () => {
    const found = await make("api-keys", { name: "Shop", type: "public" });
    await workspace.refuseOnce({ method: "PATCH" }, 400);
    const key = new HostedResource(host, "ApiKey");
    const program = {
      name: "Store",
      type: "public",
      adopt: { id: found.id },
    };
    const error = (await rejection(key.up(program))) as HostError;
    expect(error.message).toContain("No");
    expect(error.kept).toBeUndefined();
    expect(await get("api-keys", found)).toMatchObject({ name: "Shop" });
    await host.stop();
    expect((await up("ApiKey", program)).id).toBe(found.id);
  });
});

it.each<[Kind, Properties]>([
  ["ApiKey", { name: "Shop", type: "public", adopt: { id: UNKNOWN } }],
  ["ApiKey", { name: "Shop", type: "public", adopt: UNKNOWN }],
  ["Environment", { name: "Staging", adopt: { id: UNKNOWN } }],
  ["Webhook", { url, adopt: { id: UNKNOWN } }],
])(
  "adopt with an unknown value passes a preview: %s %j",
  async (kind, program) => {
    await new HostedResource(host, kind).previewCreate(program);
    expect(host.stderr).toContain(`${kind}: an object will be adopted.`);
  },
);

describe("adopt is refused for", () => {
  const refused = async (kind: Kind, program: Properties) =>
    (await rejection(new HostedResource(host, kind).up(program))).message;
  const key = { name: "Shop", type: "public" };

  it("an ID that does not exist", async () => {
    expect(await refused("ApiKey", { ...key, adopt: { id: "tok_x" } })).toSay(
      "adopt/no-such-id",
    );
    const environment = { name: "Staging", adopt: { id: "ae_x" } };
    expect(await refused("Environment", environment)).toContain(
      "There is no environment ae_x",
    );
    const blank = { name: "Staging", adopt: { id: "ae_x\n" } };
    expect(await refused("Environment", blank)).toContain(
      String.raw`There is no environment "ae_x\n" in`,
    );
    await expect(host.read("ApiKey", " tok_x")).rejects.toThrow(
      'There is no API key " tok_x" in',
    );
  });

  it("an ID that does not exist, and the error lists those that do without secrets", async () => {
    const shared = `${url}?key=a-key-of-ours`;
    await workspace.control("/us/webhooks", { url: shared, legacy: true });
    const { id } = await make("webhooks", { url: shared });
    const program = { url: shared, adopt: { id: "wh_x" } };
    const message = await refused("Webhook", program);
    expect(message).toContain('status "enabled", legacy true');
    expect(message).toContain(`\n  ${id}, url https://shop.example/[redacted]`);
    expect(message).not.toContain("a-key-of-ours");
  });

  it("a key of another type or environment", async () => {
    const { id } = await make("api-keys", key);
    const { environment } = workspace.service.workspaces.us;
    expect(
      await refused("ApiKey", { ...key, type: "secret", adopt: { id } }),
    ).toSay("adopt/another-type", { id });
    const server = await make("api-keys", { name: "Server", type: "secret" });
    const message = await refused("ApiKey", {
      name: "Server",
      type: "secret",
      environment,
      adopt: { id: server.id },
    });
    expect(message).toContain(
      `its environment is none, the program says "${environment}"`,
    );
  });

  it("the default environment", async () => {
    const { environment } = workspace.service.workspaces.us;
    const program = { name: "Everything", adopt: { id: environment } };
    expect(await refused("Environment", program)).toSay(
      "adopt/default-environment",
      { environment },
    );
  });

  it("an object that another resource of the program has since an earlier update", async () => {
    const made = await up("ApiKey", key);
    await host.stop();
    expect(await made.up(key)).toBe("same");
    const message = await refused("ApiKey", {
      ...key,
      adopt: { id: made.id },
    });
    expect(message).toSay("adopt/taken-by-another-resource");
  });

  it.each([{ name: "Shop" }, { id: "tok_1", name: "Shop" }])(
    "anything but an ID, before any request: %j",
    async (adopt) => {
      expect(await refused("ApiKey", { ...key, adopt })).toContain(
        "the provider's setting adopt: byName",
      );
    },
  );
});
