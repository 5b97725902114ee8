import { fieldsMarked } from "../../../../provider/src/definition/field";
import * as registry from "../../../../provider/src/registry";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type HostError,
  DynamicHost,
  type Properties,
} from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { hostProcessForTests } from "../../host-for-tests";
import { KINDS, PROGRAMS, SECRET_OUTPUTS } from "../../kind-rows";
import { settingsOf } from "../../settings-of";

let host: DynamicHost;
let receiver: WebhookReceiver;
let url: string;
const workspace = openForTests(new LocalWorkspace());
hostProcessForTests(workspace, (started) => (host = started));
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ url } = receiver);
});
afterEach(() => workspace.forgetFaults());
afterAll(() => receiver.close());

/** ID of a webhook with the address of the receiver. */
let webhook: string;
beforeAll(async () => {
  const body = { url: receiver.url };
  const made = await workspace.call("POST", "/webhooks", body);
  webhook = (made as { id: string }).id;
});

const place = () => {
  const { environment } = workspace.service.workspaces.us;
  return { url, environment, webhook };
};

/** The secrets that the service has handed out so far, from the state and from the service. */
async function secretsOf({ kind, state }: HostedResource): Promise<string[]> {
  const { managementKey, secretKey } = workspace.service.workspaces.us;
  const keys = await workspace.list("encryption-keys");
  return [
    managementKey,
    secretKey,
    ...keys.flatMap((key) => [key.token, key.next_token, key.previous_token]),
    ...SECRET_OUTPUTS[kind].map((name) => state[name]),
  ].filter((secret) => typeof secret === "string");
}

function expectNone(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) expect(text).not.toContain(secret);
}

const withoutSecretOutputs = ({ kind, state }: HostedResource) =>
  Object.entries(state).filter(
    ([name]) => !SECRET_OUTPUTS[kind].includes(name),
  );

async function outputOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const { message, kept } = error as HostError;
    return message + JSON.stringify([kept?.id, kept?.reasons]);
  }
  return expect.unreachable("it was expected to fail");
}

it.each(KINDS)("%s marks its secret outputs", (kind) => {
  const { outputs } = registry[kind];
  expect(fieldsMarked(outputs, "secret")).toEqual(SECRET_OUTPUTS[kind]);
});

describe.each(KINDS)("secrets of %s", (kind) => {
  it("appear in the secret outputs, and nowhere else", async () => {
    const resource = new HostedResource(host, kind);
    const seen: string[] = [];
    for (const program of PROGRAMS[kind](place())) {
      const before = resource.id && (await resource.preview(program));
      await resource.up(program);
      await resource.refresh();
      seen.push(...(await secretsOf(resource)));
      expectNone(
        JSON.stringify([before, resource.id, withoutSecretOutputs(resource)]),
        seen,
      );
    }
    await resource.destroy();
    expectNone(await host.allOutput(), seen);
  });

  it("are not printed when the service repeats them in an error", async () => {
    const resource = new HostedResource(host, kind);
    const [first, second] = PROGRAMS[kind](place()) as [Properties, Properties];
    await resource.up(first);
    const secrets = await secretsOf(resource);
    const known = secrets.filter(
      (secret) =>
        // A client knows its management key and the secrets in the answers that it got.
        Object.values(resource.state).includes(secret) ||
        secret === workspace.service.workspaces.us.managementKey,
    );
    const echo = known.join(" and ");
    const violations = [{ property: "name", message: echo }];
    // An update and a delete of a verification make no call.
    const isVerification = kind === "WebhookVerification";
    // When a POST may have been done, the error says so and quotes the answer.
    const posts = kind === "EncryptionKey" || kind === "FilteringRuleSet";
    const other = posts ? resource : new HostedResource(host, kind);
    const calls = {
      400: [
        ...(isVerification ? [] : [() => resource.up(second)]),
        ...(posts ? [] : [() => new HostedResource(host, kind).up(second)]),
        () => resource.refresh(),
        ...(isVerification ? [] : [() => resource.destroy()]),
      ],
      401: [() => (isVerification ? other : resource).up(second)],
      500: [() => other.up(second)],
    };
    for (const [status, sent] of Object.entries(calls)) {
      await workspace.fault({
        match: status === "500" ? { method: "POST" } : {},
        then: {
          status: Number(status),
          body: { error: { code: "echo", message: echo, violations } },
        },
      });
      for (const call of sent) {
        const text = await outputOf(call());
        expect(text).toContain(status);
        expectNone(text, secrets);
      }
      await workspace.forgetFaults();
    }
    expectNone(await host.allOutput(), secrets);
    await resource.destroy();
  });
});

describe("an answer in an unknown form", () => {
  const canary = "canary-of-an-answer";

  it.each([
    ["no JSON", `<html>${canary}</html>`],
    ["half of it", `{"data":{"id":"tok_1","token":"${canary}"`],
    ["no record", { data: { id: 5, name: canary, token: canary } }],
    ["no data", { token: canary }],
  ])("is not quoted: %s", async (_, body) => {
    const key = new HostedResource(host, "ApiKey");
    await key.up({ name: "Shop", type: "secret" });
    await workspace.fault({
      match: { surface: "management" },
      then: { status: 200, body },
    });
    const next = { name: "Store", type: "secret" };
    const texts = [
      await outputOf(new HostedResource(host, "ApiKey").up(next)),
      await outputOf(key.up(next)),
      await outputOf(key.refresh()),
    ];
    expect(texts.join("\n")).not.toContain(canary);
    expect(texts[1]).toContain("Updating API key");
    expect(texts[2]).toContain("Reading API key");
    await expect
      .poll(() => host.stderr)
      .toContain("the message is shown with its resource");
    expect(await host.allOutput()).not.toContain(canary);
    await workspace.forgetFaults();
    await key.destroy();
  });
});

it("errors do not quote a wrong key or an address with a password", async () => {
  const canary = "canary-of-a-setting";
  const settings: Record<string, string>[] = [
    { ...settingsOf(workspace), "devid:managementKey": canary },
    {
      ...settingsOf(workspace),
      "devid:managementUrl": `http://user:${canary}@127.0.0.1:9`,
    },
  ];
  for (const wrong of settings) {
    const misled = await DynamicHost.start(wrong);
    for (const kind of KINDS) {
      const resource = new HostedResource(misled, kind);
      const [first] = PROGRAMS[kind](place()) as [Properties];
      expect(await outputOf(resource.up(first))).not.toContain(canary);
      resource.id = "id";
      expect(await outputOf(resource.refresh())).not.toContain(canary);
    }
    const said = await misled.allOutput();
    expect(said).not.toBe("");
    expect(said).not.toContain(canary);
    await misled.stop();
  }
});
