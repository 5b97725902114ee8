import { afterEach, describe, expect, it } from "vitest";
import { HostedResource } from "../../helpers/hosted-resource";
import { hostForTests } from "../host-for-tests";
import { failure } from "./filtering-rule-set/rule-set-scene";

let key: HostedResource;
const { workspace, host } = hostForTests();
afterEach(async () => {
  if (key?.id) await key.destroy();
});

const shop = { name: "Shop", type: "secret" };
const stored = async () =>
  (await workspace.list("api-keys")).find(({ id }) => id === key.id);
const keyNames = async () =>
  (await workspace.list("api-keys")).map(({ name }) => name);
/** Statuses of the responses to one method since a mark. */
async function statuses(method: string, mark: number): Promise<number[]> {
  const log = await workspace.requestsSince(mark);
  return log.filter((r) => r.method === method).map(({ status }) => status);
}

describe("an API key", () => {
  // contract: management-84
  it("is created with a status and rate limit that only a second call can set", async () => {
    key = new HostedResource(host, "ApiKey");
    const program = { ...shop, status: "disabled", rateLimit: 0.5 };
    const mark = await workspace.mark();
    await key.up(program);
    expect(await stored()).toMatchObject({
      status: "disabled",
      rate_limit: 0.5,
      disabled_at: expect.any(String) as string,
    });
    expect(key.state).toMatchObject({
      token: expect.stringMatching(/^\w{32}$/) as string,
      disabledAt: expect.any(String) as string,
    });
    expect(await key.up(program)).toBe("same");
    expect(await statuses("POST", mark)).toEqual([201]);
  });

  it("whose token the service shows again gets its declared status at once", async () => {
    key = new HostedResource(host, "ApiKey");
    const program = { ...shop, type: "public", status: "disabled" };
    await key.up(program);
    expect(await stored()).toMatchObject({ status: "disabled" });
    expect(await key.up(program)).toBe("same");
  });

  it("is created with one call when the defaults match the declaration", async () => {
    key = new HostedResource(host, "ApiKey");
    const mark = await workspace.mark();
    await key.up({ ...shop, status: "enabled", rateLimit: 5 });
    expect(key.state).toMatchObject({ status: "enabled", rateLimit: 5 });
    expect(await statuses("POST", mark)).toEqual([201]);
    expect(await statuses("PATCH", mark)).toEqual([]);
  });

  it("is not replaced when the program names the environment that the key already has", async () => {
    const { environment } = workspace.service.workspaces.us;
    key = new HostedResource(host, "ApiKey");
    const agent = { name: "Agent", type: "public" };
    await key.up(agent);
    expect(key.state).toMatchObject({ environmentId: environment });
    expect(await key.up({ ...agent, environment })).toBe("same");
    const other = { ...agent, environment: "ae_other" };
    expect(await key.preview(other)).toEqual({
      changes: true,
      replaces: ["environment"],
    });
  });

  it("is refused by the service with the program's property names", async () => {
    key = new HostedResource(host, "ApiKey");
    await workspace.fault({
      match: { method: "PATCH" },
      times: 1,
      then: {
        status: 400,
        body: {
          error: {
            code: "validation_error",
            message: "The request is invalid.",
            violations: [{ property: "rate_limit", message: "is too high" }],
          },
        },
      },
    });
    const agent = { ...shop, type: "public" };
    const error = await failure(key.up({ ...agent, rateLimit: 9 }));
    expect(error.message).toContain("\n  rateLimit: is too high");
  });
});

it("an API key whose creation fails between its two calls stays in state with its token, and the next update completes it", async () => {
  key = new HostedResource(host, "ApiKey");
  const mark = await workspace.mark();
  const disabled = {
    ...shop,
    type: "public",
    description: "Till",
    status: "disabled",
    rateLimit: 3,
  };
  await workspace.fault({
    match: { method: "PATCH" },
    times: 5,
    then: { status: 503 },
  });
  const error = await failure(key.up(disabled));
  expect(error.message).toMatch(/^Updating API key tok_\w+ failed: 503/);
  expect(error.kept).toMatchObject({
    id: expect.stringMatching(/^tok_/) as string,
    reasons: [error.message],
    properties: {
      name: "Shop",
      description: "Till",
      status: "enabled",
      token: expect.stringMatching(/^\w+$/) as string,
      schemaVersion: 1,
    },
  });
  expect(await statuses("PATCH", mark)).toEqual([503, 503, 503, 503, 503]);

  const { token } = key.state;
  // The state holds the service's values, so the next update sends the rest.
  expect(key.state).toMatchObject({ rateLimit: 5 });
  expect(await key.up(disabled)).toBe("update");
  expect(await stored()).toMatchObject({ status: "disabled", rate_limit: 3 });
  expect(key.state).toMatchObject({
    status: "disabled",
    rateLimit: 3,
    token,
  });
  expect(await key.up(disabled)).toBe("same");
  expect(await statuses("POST", mark)).toEqual([201]);
});

it("whose creation was not answered is found, beside an equal key that the same command made", async () => {
  await host.stop();
  const twin = new HostedResource(host, "ApiKey");
  key = new HostedResource(host, "ApiKey");
  const program = { name: "Twin", type: "public" };
  await twin.up(program);
  await workspace.faultOnce("POST /api-keys", "reset", { after: true });
  await key.up(program);
  expect(host.stderr).toContain(`ApiKey ${key.id} was created.`);
  expect(key.id).not.toBe(twin.id);
  expect((await keyNames()).filter((name) => name === "Twin")).toHaveLength(2);
  await twin.destroy();
});
