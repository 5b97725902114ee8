import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { declared, EngineStack } from "../helpers/engine-stack";
import { randomKeys } from "../helpers/keys-file";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;

const KEYS = randomKeys();

beforeAll(async () => {
  workspace = await LocalWorkspace.start({ keys: KEYS });
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
  });
  const { us, eu } = KEYS.workspaces;
  await stack.configure("devid:managementKey", us.managementKey, {
    secret: true,
  });
  stack.declare(
    [
      declared("ApiKey", "one", { name: "One", type: "secret" }),
      declared(
        "ApiKey",
        "two",
        { name: "Two", type: "proxy" },
        { provider: "eu" },
      ),
      { kind: "Webhook", as: "hook", args: { url: "https://hooks.example/a" } },
      declared("EncryptionKey", "sealing", { rotation: "1" }),
    ],
    { eu: { region: "eu", managementKey: `secret:${eu.managementKey}` } },
  );
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

/** Every secret that exists: the workspace's keys and the secrets in the stack's state. */
async function secrets(): Promise<string[]> {
  const shown = await stack.exported({ showSecrets: true });
  const { deployment } = JSON.parse(shown) as {
    deployment: { resources: { outputs?: Record<string, unknown> }[] };
  };
  const fields = [
    "token",
    "previousToken",
    "nextToken",
    "tokenBefore",
    "signingKey",
  ];
  const made = deployment.resources.flatMap(({ outputs = {} }) =>
    fields.flatMap((field) => {
      const value = outputs[field] as { plaintext?: string } | undefined;
      return value?.plaintext ? [JSON.parse(value.plaintext) as string] : [];
    }),
  );
  const { us, eu } = KEYS.workspaces;
  return [us.managementKey, eu.managementKey, ...made];
}

it("encrypts every secret in state and prints none", async () => {
  await stack.up();
  stack.declare([
    declared("ApiKey", "one", { name: "One", type: "secret" }),
    declared("EncryptionKey", "sealing", { rotation: "2" }),
  ]);
  const before = await secrets();
  await stack.preview();
  await stack.up("--refresh");
  const all = [...new Set([...before, ...(await secrets())])];
  // The tokens of two keys, a signing key, and the encryption key's tokens before and after.
  expect(all.length).toBeGreaterThanOrEqual(2 + 3 + 3);

  const state = await stack.exported();
  expect(state).toContain("ciphertext");
  const files = readdirSync(join(stack.workFolder, ".engine", "state"), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  expect(files.length).toBeGreaterThan(0);
  for (const secret of all)
    for (const text of [state, stack.output, ...files])
      expect(text.includes(secret), "a secret stands in clear text").toBe(
        false,
      );
});

it("keeps in state a provider text without captured values", async () => {
  const { deployment } = JSON.parse(await stack.exported()) as {
    deployment: {
      resources: {
        type: string;
        inputs?: { __provider?: string };
        sourcePosition?: string;
      }[];
    };
  };
  const ours = deployment.resources.filter(({ type }) =>
    type.startsWith("pulumi-nodejs:dynamic/devid:"),
  );
  const texts = ours.map(({ inputs }) => inputs?.__provider ?? "");
  expect(texts.sort()).toEqual([
    'exports.handler = () => require("@devid/pulumi/provider").ApiKey;',
    'exports.handler = () => require("@devid/pulumi/provider").EncryptionKey;',
  ]);
  for (const text of texts)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(120);
  // The program line of the declaration, which the engine's messages may show.
  for (const { sourcePosition } of ours)
    expect(sourcePosition).toMatch(/^project:\/\/\/index\.\w+#\d+,\d+$/);
});

it("keeps the secret parts of an address out of the errors, the state and the output", async () => {
  const before = stack.output.length;
  const url = "http://user:pass-of-ours@127.0.0.1:9/hook?key=key-of-ours";
  stack.declare([
    declared("Webhook", "failing", { url: `secret:${url}` }),
    declared("WebhookVerification", "verification", {
      webhookId: "$failing.id",
      url: `secret:${url}`,
      timeoutSeconds: 1,
    }),
  ]);
  const said = await stack.failingUp();
  expect(said).toContain("was not verified within 1 s");
  stack.declare([
    declared("Webhook", "wrong", {
      url: `secret:${url.replace("127.0.0.1", "hooks.example")}`,
    }),
    declared("FilteringRuleSet", "rules", {
      rules: [
        {
          name: "token",
          expression:
            "secret:http.request.headers['X-Token'][0] = 'key-of-ours'",
          action: "deny",
        },
      ],
    }),
  ]);
  expect(await stack.failing("preview")).toMatch(
    /url: must start with https|rules\[0\]\.expression: has a mistake/,
  );
  const state = await stack.exported();
  expect(state).toContain("::failing");
  for (const text of [state, stack.output.slice(before)])
    for (const secret of ["pass-of-ours", "key-of-ours"])
      expect(text.includes(secret), secret).toBe(false);
});
