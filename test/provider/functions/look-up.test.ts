import * as devid from "@devid/pulumi";
import { InvalidInputError, UnauthorizedError } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rejection, workspaceForTests } from "../../sdk/workspace";
import { redactArguments } from "../../../provider/src/program/call-function";
import { settled } from "../settled";
import { settingsOf } from "../settings-of";

const workspace = workspaceForTests();
// With mocks, Pulumi would not call the service.
beforeAll(() =>
  pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, ""),
);

beforeEach(() => pulumi.runtime.setAllConfig(settingsOf(workspace)));

/** The error of a lookup that found no object, or several. */
async function lookupError(lookup: Promise<unknown>) {
  const error = await rejection(lookup);
  expect(error).toBeInstanceOf(devid.LookupError);
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  return error as devid.LookupError;
}

describe("getApiKey", () => {
  it("finds a key by its ID and by its name, and returns its token as a secret", async () => {
    const key = { name: "Shop", type: "public" } as const;
    const made = await workspace.client().apiKeys.create(key);
    const found = await devid.getApiKey({ name: "Shop" });
    expect(found).toMatchObject({ id: made.id, type: "public" });
    expect(found).not.toHaveProperty("description");
    const token = await settled(pulumi.output(found.token));
    expect(token).toEqual({ value: made.token, isSecret: true });
    const byId = await settled(
      devid.getApiKeyOutput({ id: pulumi.output(made.id) }),
    );
    expect(byId.isSecret).toBe(true);
    expect(byId.value).toMatchObject({ id: made.id, token: made.token });
  });

  it("refuses a name that two keys have, and lists the two with their differences", async () => {
    const { apiKeys } = workspace.client();
    const one = await apiKeys.create({ name: "Twin", type: "public" });
    const two = await apiKeys.create({ name: "Twin", type: "secret" });
    const error = await lookupError(devid.getApiKey({ name: "Twin" }));
    expect(error.matches).toEqual([one.id, two.id]);
    expect(error.message).toSay("lookup/several-of-the-name");
    expect(error.message).toContain(
      `\n  ${one.id}, name "Twin", type "public"`,
    );
    expect(error.message).toContain(
      `\n  ${two.id}, name "Twin", type "secret"`,
    );
    expect(error.message).not.toContain(one.token);
    expect(error.message).not.toContain(two.token);
  });

  it("lists the existing keys when none has the name or the ID", async () => {
    const error = await lookupError(devid.getApiKey({ name: "local" }));
    expect(error.matches).toEqual([]);
    expect(error.message).toSay("lookup/none-of-the-name");
    expect(error.message).toContain(
      ', name "Local development", type "secret"',
    );
    const byId = await lookupError(devid.getApiKey({ id: "tok_none" }));
    expect(byId.message).toSay("lookup/no-such-id");
  });

  it("reads a key that it found by name once more, by its ID", async () => {
    const key = { name: "Shop", type: "public" } as const;
    const made = await workspace.client().apiKeys.create(key);
    await devid.getApiKey({ name: "Shop" });
    expect((await workspace.requests()).slice(-2)).toEqual([
      expect.stringMatching(/^GET \/api-keys(\?.*)? 200$/),
      `GET /api-keys/${made.id} 200`,
    ]);
  });
});

describe("getWebhook", () => {
  const url = "https://user:word@shop.example/hook?token=hidden";

  it("finds a webhook by its ID and by its address", async () => {
    const made = await workspace.client().webhooks.create({ url });
    await workspace.client().webhooks.create({ url: "https://b.example/" });
    expect(await devid.getWebhook({ url })).toMatchObject({ id: made.id, url });
    expect(await devid.getWebhook({ id: made.id })).toMatchObject({ url });
  });

  it("returns the credentials of a legacy webhook as secrets", async () => {
    const basic_auth = { username: "shop", password: "pass-word" };
    await workspace.control("/us/webhooks", { url, legacy: true, basic_auth });
    const found = await devid.getWebhook({ url });
    const auth = await settled(pulumi.output(found.basicAuth));
    expect(auth).toEqual({ value: basic_auth, isSecret: true });
  });

  it("hides the user-info and the query of an address in errors", async () => {
    const one = await workspace.client().webhooks.create({ url });
    const two = await workspace.client().webhooks.create({ url });
    const several = await lookupError(devid.getWebhook({ url }));
    expect(several.matches).toEqual([one.id, two.id]);
    const none = await lookupError(
      devid.getWebhook({ url: `${url}&more=hidden` }),
    );
    for (const { message } of [several, none]) {
      expect(message).toContain(
        `${one.id}, url https://shop.example/[redacted], status "enabled"`,
      );
      expect(message).not.toMatch(/user|word|hidden|token/);
    }
  });
});

describe("getEncryptionKey", () => {
  it("finds a key by its environment, name and ID, and returns its tokens as secrets", async () => {
    const { environments, encryptionKeys } = workspace.client();
    const staging = await environments.create({ name: "staging" });
    const found = await devid.getEncryptionKey({ environment: staging.id });
    expect(found.environment).toBe(staging.id);
    const { token } = await encryptionKeys.get(found.id);
    const secret = { value: token, isSecret: true };
    expect(await settled(pulumi.output(found.token))).toEqual(secret);
    await encryptionKeys.update(found.id, { name: "of staging" });
    const named = await devid.getEncryptionKey({ name: "of staging" });
    expect(named.id).toBe(found.id);
    const byId = await settled(devid.getEncryptionKeyOutput({ id: found.id }));
    expect(byId.isSecret).toBe(true);
    expect(byId.value.token).toBe(token);
    expect(JSON.stringify(named)).not.toContain(token);
  });

  it("lists several matching keys with their environments", async () => {
    const error = await lookupError(
      devid.getEncryptionKey({ environment: "ae_none" }),
    );
    expect(error.message).toSay("lookup/none-of-the-environment");
    expect(error.message).toContain(`environment "${workspace.environment}"`);
  });
});

it("getEnvironment finds an environment by its ID and by its name, and the default one", async () => {
  const made = await workspace
    .client()
    .environments.create({ name: "staging" });
  expect(await devid.getEnvironment({ name: "staging" })).toMatchObject({
    id: made.id,
    limitMode: "none",
  });
  const byId = await settled(devid.getEnvironmentOutput({ id: made.id }));
  expect(byId).toMatchObject({ value: { name: "staging" }, isSecret: false });
  const { id } = await devid.getEnvironment({ default: true });
  expect(id).toBe(workspace.environment);
});

describe("a lookup", () => {
  it.each([
    ["no argument", () => devid.getEnvironment({ name: undefined }), "none"],
    [
      "two arguments",
      () => devid.getApiKey({ id: "tok_1", name: "Shop" }),
      "id and name",
    ],
  ])("refuses %s before anything is sent", async (_, ask, given) => {
    const error = await rejection(ask());
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toMatch(
      new RegExp(`arguments: exactly one of .* is needed; given: ${given}$`),
    );
    expect(await workspace.requests()).toEqual([]);
  });

  it("refuses an unknown argument, and an empty one", async () => {
    const unknown = { url: "https://a.example/" } as devid.GetApiKeyArgs;
    const error = await rejection(devid.getApiKey(unknown));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain("url: is not known");
    expect((await rejection(devid.getApiKey({ name: "" }))).message).toContain(
      "name: ",
    );
  });

  it("does not quote a secret name", async () => {
    const name = "hidden-name";
    const error = await rejection(devid.getApiKey({ name }));
    expect(error.message).toContain(name);
    redactArguments(error, { name });
    expect(error).toBeInstanceOf(devid.LookupError);
    expect(error.message).toContain('with the name "[redacted]"');
    expect(error.message).not.toContain(name);
  });

  it("passes other errors on, so a refused management key is not reported as a missing object", async () => {
    pulumi.runtime.setConfig("devid:managementKey", "nobody's");
    const error = await rejection(devid.getWebhook({ id: "wh_1" }));
    expect(error).toBeInstanceOf(UnauthorizedError);
  });
});
