import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { createClient, type Client } from "@devid/sdk";
import type { FastifyInstance } from "fastify";
import {
  createRemoteJWKSet,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type JWTPayload,
} from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RotationState } from "../../examples/esc/rotation";
import { rotatorApp } from "../../examples/esc/rotator";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

// The rotator of examples/esc, called over HTTP like Pulumi ESC calls it.

const ROOT = resolve(__dirname, "../..");
const ADDRESS = "https://rotator.shop.example/rotate";
const ISSUER = "https://esc.example";
const REQUEST = { name: "Server" };

const workspace = openForTests(new LocalWorkspace());
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwks: Server;
let app: FastifyInstance;
let url: string;
let client: Client;

beforeAll(async () => {
  keys = await generateKeyPair("RS256");
  const published = {
    keys: [{ ...(await exportJWK(keys.publicKey)), kid: "1", alg: "RS256" }],
  };
  jwks = createServer((_, response) => response.end(JSON.stringify(published)));
  await new Promise<void>((done) => jwks.listen(0, "127.0.0.1", done));
  const { port } = jwks.address() as AddressInfo;
  client = createClient({
    endpoint: workspace.url,
    managementKey: workspace.service.workspaces.us.managementKey,
    requestsPerSecond: 1000,
  });
  app = rotatorApp({
    client,
    address: ADDRESS,
    issuer: ISSUER,
    keys: createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/jwks`)),
    environment: "acme/prod",
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});

afterAll(async () => {
  await app?.close();
  jwks?.close();
});

let serial = 0;

/** The token that ESC makes for a body. */
const tokenFor = (body: string, claims: JWTPayload = {}) =>
  new SignJWT({
    jti: String(++serial),
    current_env: "acme/prod",
    body_hash: `sha256-${createHash("sha256").update(body).digest("base64")}`,
    iss: ISSUER,
    aud: ADDRESS,
    exp: Math.floor(Date.now() / 1000) + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", kid: "1" })
    .sign(keys.privateKey);

async function post(body: string, token: string) {
  const response = await fetch(`${url}/rotate`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

async function rotated(state: RotationState | null): Promise<RotationState> {
  const body = JSON.stringify({ request: REQUEST, state });
  const { status, text } = await post(body, await tokenFor(body));
  expect(text).not.toContain("message");
  expect(status).toBe(200);
  return JSON.parse(text) as RotationState;
}

/** Names of the secret keys that rotations have made. */
async function names(): Promise<string[]> {
  const all = await workspace.list("api-keys");
  return all
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith("Server "));
}

/** Whether the events API accepts a token. */
const isValid = async (secretKey: string) => {
  const user = createClient({ endpoint: workspace.url, secretKey });
  return user.events.search().then(
    () => true,
    () => false,
  );
};

beforeEach(async () => {
  for (const { name, id } of await workspace.list("api-keys"))
    if (String(name).startsWith("Server "))
      await client.apiKeys.delete(String(id));
});

describe("a rotation", () => {
  it("keeps two tokens valid, and deletes the third", async () => {
    const first = await rotated(null);
    expect(first).not.toHaveProperty("previous");
    const second = await rotated(first);
    expect(second.previous).toEqual({ id: first.id, token: first.token });
    expect(await Promise.all([first, second].map((one) => isValid(one.token)))) //
      .toEqual([true, true]);
    const third = await rotated(second);
    expect(
      await Promise.all(
        [first, second, third].map((one) => isValid(one.token)),
      ),
    ).toEqual([false, true, true]);
    expect(await names()).toEqual(["Server 2", "Server 3"]);
  });

  it("that is repeated with the same state after a lost answer leaves no unknown key", async () => {
    const first = await rotated(null);
    const lost = await rotated(first);
    const again = await rotated(first);
    expect(again.id).not.toBe(lost.id);
    expect(await isValid(lost.token)).toBe(false);
    expect(await names()).toEqual(["Server 1", "Server 2"]);
  });

  it("reports what failed at the service, and shows no token", async () => {
    const first = await rotated(null);
    await workspace.fault({
      match: { method: "POST", path: "/management/api-keys" },
      times: 1,
      then: { status: 403 },
    });
    const body = JSON.stringify({ request: REQUEST, state: first });
    const { status, text } = await post(body, await tokenFor(body));
    expect(status).toBe(502);
    expect(text).toContain("Creating API key");
    expect(text).not.toContain(first.token);
    expect(await isValid((await rotated(first)).token)).toBe(true);
  });
});

describe("a rotation request is refused and makes no key", () => {
  const body = JSON.stringify({ request: REQUEST, state: null });

  it.each([
    ["of another audience", { aud: "https://other.example" }, /"aud"/],
    ["of another issuer", { iss: "https://other.example" }, /"iss"/],
    ["that has expired", { exp: 1 }, /"exp"/],
    ["of another environment", { current_env: "acme/dev" }, /only acme\/prod/],
    ["for another body", { body_hash: "sha256-no" }, /another body/],
    ["without an ID", { jti: undefined }, /"jti"/],
  ])("with a token %s", async (_, claims, message) => {
    const { status, text } = await post(body, await tokenFor(body, claims));
    expect(status).toBe(401);
    const said = (JSON.parse(text) as { message: string }).message;
    expect(said).toMatch(message);
    expect(await names()).toEqual([]);
  });

  it("with a token from another issuer, without a token, and with a used token", async () => {
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .sign((await generateKeyPair("RS256")).privateKey);
    expect((await post(body, forged)).status).toBe(401);
    expect((await post(body, "")).status).toBe(401);
    expect(await names()).toEqual([]);
    const once = await tokenFor(body);
    expect((await post(body, once)).status).toBe(200);
    expect((await post(body, once)).text).toContain("used before");
    expect(await names()).toEqual(["Server 1"]);
  });

  it("with a body in another form", async () => {
    const wrong = JSON.stringify({ request: {}, state: null });
    expect((await post(wrong, await tokenFor(wrong))).status).toBe(400);
    expect(await names()).toEqual([]);
  });
});

it("the documentation shows the example's environment", () => {
  const file = readFileSync(
    join(ROOT, "examples/esc/environment.yaml"),
    "utf8",
  );
  const page = readFileSync(join(ROOT, "docs/rotation.md"), "utf8");
  expect(page).toContain(`\`\`\`yaml\n${file}\`\`\`\n`);
});
