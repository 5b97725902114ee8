import * as devid from "@devid/pulumi";
import * as plugin from "@devid/pulumi/plugin";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Properties } from "../../simulation/engine/property-value";
import { valueOf } from "../pulumi-mocks";

/** The service's answers, by kind. */
let answered: Readonly<Record<string, Properties>> = {};

/** Whether the resources exist. */
let exist = true;

const run = (preview = false) =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => ({
        id: exist ? `${name}-id` : "",
        state: {
          ...(inputs as Properties),
          ...answered[type.replace(/.*:/, "")],
        },
      }),
      call: () => ({}),
    },
    "project",
    "stack",
    preview,
  );

/** Without an engine, a failing Output is a rejection, and Pulumi leaves some rejections unhandled. */
const rejections: unknown[] = [];
const keep = (reason: unknown) => void rejections.push(reason);
let others: NodeJS.UnhandledRejectionListener[] = [];

beforeEach(async () => {
  answered = {};
  exist = true;
  rejections.length = 0;
  others = process.listeners("unhandledRejection");
  process
    .removeAllListeners("unhandledRejection")
    .on("unhandledRejection", keep);
  await run();
});
afterEach(async () => {
  await settled();
  process.off("unhandledRejection", keep);
  for (const other of others) process.on("unhandledRejection", other);
});

/** Waits until every promise has settled and every rejection was reported. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

const args = { name: "Shop", type: "secret" } as const;

describe.each([
  ["@devid/pulumi", devid],
  ["@devid/pulumi/plugin", plugin],
])("ifKnown of %s", (_, { ApiKey, ifKnown }) => {
  it("returns the secret of the state", async () => {
    answered = { ApiKey: { token: pulumi.secret("t0ken") } };
    const token = ifKnown(new ApiKey("shop", args).token);
    expect(await valueOf(token)).toBe("t0ken");
    expect(await pulumi.isSecret(token)).toBe(true);
  });

  it("returns undefined when the state has no value, and nothing fails", async () => {
    const token = ifKnown(new ApiKey("shop", args).token);
    expect(await valueOf(token)).toBeUndefined();
    await settled();
    expect(rejections).toEqual([]);
  });

  it("returns any other Output unchanged", async () => {
    const other = pulumi.output("text");
    expect(await valueOf(ifKnown(other))).toBe("text");
  });
});

describe("knownOutputs", () => {
  it("leaves out outputs without a value, and keeps the others", async () => {
    answered = { ApiKey: {} };
    const key = new devid.ApiKey("shop", args);
    const secret = pulumi.secret("t0ken");
    const known = await devid.knownOutputs({
      token: devid.ifKnown(key.token),
      id: key.id,
      secret,
      plain: 1,
      nothing: undefined,
      none: null,
    });
    expect(Object.keys(known)).toEqual(["id", "secret", "plain", "none"]);
    expect(known.secret).toBe(secret);
  });

  it("fails when an output fails", async () => {
    const key = new devid.ApiKey("shop", args);
    await expect(devid.knownOutputs({ token: key.token })).rejects.toSay(
      "outputs/adopted-without-token",
    );
  });
});

describe("an output that programs may treat as always present", () => {
  it("returns the value of the state, as a secret", async () => {
    answered = { ApiKey: { token: pulumi.secret("t0ken") } };
    const { token } = new devid.ApiKey("shop", args);
    expect(await valueOf(token)).toBe("t0ken");
    expect(await pulumi.isSecret(token)).toBe(true);
    expect(await pulumi.isSecret(token.apply((text) => text.length))).toBe(
      true,
    );
    expect(await valueOf(pulumi.all([token, token.length]))).toEqual([
      "t0ken",
      5,
    ]);
  });

  it("fails when it is used and has no value", async () => {
    const key = new devid.ApiKey("shop", args);
    await expect(valueOf(key.token)).rejects.toSay(
      "outputs/adopted-without-token",
    );
    await expect(valueOf(key.environmentId)).rejects.toSay(
      "outputs/no-environment",
    );
    const hook = new devid.Webhook("hook", { url: "https://shop.example" });
    const error: unknown = await valueOf(
      pulumi.interpolate`key ${hook.signingKey}`,
    ).catch((reason: unknown) => reason);
    expect(String(error)).toSay("outputs/adopted-without-signing-key");
    expect(pulumi.RunError.isInstance(error)).toBe(true);
  });

  it("fails when the plugin returns an empty text, as it does for other languages", async () => {
    answered = { ApiKey: { environmentId: "" } };
    const { environmentId } = new plugin.ApiKey("shop", args);
    await expect(valueOf(environmentId)).rejects.toSay(
      "outputs/no-environment",
    );
    expect(await valueOf(devid.ifKnown(environmentId))).toBeUndefined();
  });

  it("also fails as an argument of another resource", async () => {
    const { token } = new devid.ApiKey("shop", args);
    await expect(valueOf(pulumi.output({ nested: [token] }))).rejects.toSay(
      "outputs/adopted-without-token",
    );
  });

  it("causes no failure when nobody uses it", async () => {
    const key = new devid.ApiKey("shop", args);
    const hook = new devid.Webhook("hook", { url: "https://shop.example" });
    const component = new devid.RotatingApiKey("server", {
      ...args,
      generations: ["1"],
    });
    const { token, environmentId } = key;
    const passedAround = { ...hook, ...component, token, environmentId };
    expect(passedAround.token).toBe(key.token);
    expect(pulumi.Output.isInstance(token)).toBe(true);
    expect(await pulumi.isSecret(token)).toBe(false);
    await valueOf(component.keyId);
    await settled();
    expect(rejections).toEqual([]);
  });

  it("is unknown in a preview", async () => {
    await run(true);
    const key = new devid.ApiKey("shop", args);
    let used = false;
    const derived = pulumi
      .all([key.token, key.environmentId])
      .apply(() => (used = true));
    await valueOf(key.name);
    await settled();
    const { isKnown } = derived as unknown as { isKnown: Promise<boolean> };
    expect(await isKnown).toBe(false);
    expect(used).toBe(false);
    expect(rejections).toEqual([]);
  });

  it.each([
    ["@devid/pulumi", devid],
    ["@devid/pulumi/plugin", plugin],
  ])(
    "is unknown while the state lacks the resource, as in a refresh that runs the program: %s",
    async (_, { ApiKey, ifKnown }) => {
      exist = false;
      const { token, name } = new ApiKey("shop", args);
      let used = false;
      const outputs = [
        token,
        ifKnown(token),
        pulumi.interpolate`key ${token}`,
        token.apply(() => (used = true)),
      ];
      expect(await valueOf(name)).toBe("Shop");
      for (const output of outputs)
        expect(
          await (output as unknown as { isKnown: Promise<boolean> }).isKnown,
        ).toBe(false);
      expect(used).toBe(false);
      await settled();
      expect(rejections).toEqual([]);
    },
  );

  it("is captured by a function that runs in the cloud", async () => {
    answered = { Webhook: { signingKey: "k3y" } };
    const hook = new devid.Webhook("hook", { url: "https://shop.example" });
    const { text } = await pulumi.runtime.serializeFunction(() =>
      hook.signingKey.get(),
    );
    expect(text).toContain('__hook_signingKey.value = "k3y"');
  });
});
