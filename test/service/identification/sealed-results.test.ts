import { unseal, UnsealError } from "@devid/sdk/sealed-results";
import type { IdentificationAnswer } from "../../../service/src/agent/identification-wire";
import { describe, expect, it } from "vitest";
import { eventOf, identify } from "./identify-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

interface Key {
  readonly id: string;
  readonly token: string;
  readonly previous_token: string | null;
}

/** The encryption key of the default environment. */
async function encryptionKey(): Promise<Key> {
  const { environment } = local.service.workspaces.us;
  const path = `/encryption-keys?environment=${environment}`;
  const [key] = (await local.us("GET", path)).list;
  return key as unknown as Key;
}

/** Sets the status of the encryption key. */
const setStatus = (id: string, status: "enabled" | "disabled") =>
  local.call("PATCH", `/encryption-keys/${id}`, { status });

async function sealedResult(): Promise<Buffer> {
  const answer = await identify(local);
  const { sealed_result } = answer.body as IdentificationAnswer;
  if (sealed_result === undefined) throw new Error(answer.text);
  return Buffer.from(sealed_result, "base64");
}

describe("a sealed result", () => {
  // contract: agent-36, sealed-5
  it("is returned while the environment's key is enabled", async () => {
    const { id } = await encryptionKey();
    expect((await identify(local)).body).not.toHaveProperty("sealed_result");
    await setStatus(id, "enabled");
    expect((await identify(local)).body).toHaveProperty("sealed_result");
    await setStatus(id, "disabled");
    expect((await identify(local)).body).not.toHaveProperty("sealed_result");
  });

  // contract: sealed-5
  it("is returned with a disabled key if the setting says so", async () => {
    const { token } = await encryptionKey();
    await local.set({ sealed: true });
    expect(unseal(await sealedResult(), [token])).toHaveProperty("event_id");
  });

  // contract: management-101, sealed-1
  it("contains the event as the events API returns it", async () => {
    const { id, token } = await encryptionKey();
    await setStatus(id, "enabled");
    await local.set({ signals: ["velocity"], zeroTrust: true });
    const answer = await identify(local, { linked_id: "Žofie" });
    const { sealed_result = "", ...rest } = answer.body as IdentificationAnswer;
    const event = unseal(Buffer.from(sealed_result, "base64"), [token]);
    expect(event).toEqual(await eventOf(local, answer));
    expect(event).toHaveProperty("identification.visitor_id");
    expect(event).toHaveProperty("velocity");
    expect(event).not.toHaveProperty("bot");
    const members = ["event_id", "storage_id", "suspect_score"];
    expect(Object.keys(rest).sort()).toEqual(members);
  });

  // contract: sealed-5
  it("uses the key of its environment", async () => {
    const environment = await local.newEnvironment();
    const { token: key } = await local.newKey({ type: "public", environment });
    await setStatus((await encryptionKey()).id, "enabled");
    const { body } = await identify(local, {}, { key });
    expect(body).not.toHaveProperty("sealed_result");
  });

  it("is not returned with a refusal", async () => {
    await setStatus((await encryptionKey()).id, "enabled");
    await local.enforce([{ name: "a", expression: "true", action: "deny" }]);
    const { status, text } = await identify(local);
    expect(status).toBe(403);
    expect(text).not.toContain("sealed");
  });
});

// contract: management-121, sealed-3
it("a rotation of the key makes new results use the new token, while the previous token opens old results", async () => {
  const first = await encryptionKey();
  await setStatus(first.id, "enabled");
  const old = await sealedResult();
  const path = `/encryption-keys/${first.id}/rotate`;
  const rotated = (await local.call("POST", path)) as Key;
  expect(rotated.previous_token).toBe(first.token);
  const fresh = await sealedResult();
  expect(() => unseal(fresh, [first.token])).toThrow(UnsealError);
  expect(() => unseal(old, [rotated.token])).toThrow(UnsealError);
  const keys = [rotated.token, rotated.previous_token ?? ""];
  expect(unseal(old, keys).event_id).not.toBe(unseal(fresh, keys).event_id);
});
