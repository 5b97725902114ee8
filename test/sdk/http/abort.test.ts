import { AmbiguousError, type CallOptions, type Client } from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

class ChangedMindError extends Error {}
const REASON = new ChangedMindError("changed my mind");
const SLOW = {
  maxAttempts: 5,
  budgetMs: 600_000,
  baseDelayMs: 60_000,
  maxDelayMs: 60_000,
};

const create = (client: Client, options: CallOptions) =>
  client.webhooks.create({ url: "https://a.example" }, options);

describe("an aborted call rejects with the signal's reason", () => {
  it("before it is sent", async () => {
    const signal = AbortSignal.abort(REASON);
    const client = workspace.client();
    const calls = [
      () => create(client, { signal }),
      () => client.webhooks.list({ signal }),
      () => client.webhooks.listAll({ signal }).next(),
      () => client.filteringRules.list({ signal }),
      () => client.environments.find("ae_1", { signal }),
      () => client.apiKeys.delete("tok_1", { signal }),
    ];
    for (const call of calls) await expect(call()).rejects.toBe(REASON);
    expect(await workspace.requests()).toEqual([]);
  });

  it("while it is in flight, and is not repeated", async () => {
    await workspace.fault({ match: {}, then: "hang" });
    const controller = new AbortController();
    const client = workspace.client();
    const calls = [
      client.webhooks.list({ signal: controller.signal }),
      create(client, { signal: controller.signal }),
    ].map((call) => call.catch((error: unknown) => error));
    await expect.poll(() => workspace.requests()).toHaveLength(2);
    controller.abort(REASON);
    const [reason, unclear] = await Promise.all(calls);
    expect(reason).toBe(REASON);
    // The webhook may have been made, whatever ended the call.
    expect(unclear).toBeInstanceOf(AmbiguousError);
    expect(unclear).toMatchObject({
      cause: REASON,
      observed: "it was aborted before its answer came",
    });
    expect(await workspace.requests()).toHaveLength(2);
  });

  it("except for a write in flight if the client finishes writes", async () => {
    await workspace.fault({ match: {}, then: { delayMs: 300 } });
    const controller = new AbortController();
    const { signal } = controller;
    const client = workspace.client({ signal, finishesWrites: true });
    const read = client.webhooks.list().catch((error: unknown) => error);
    const write = create(client, {});
    await expect.poll(() => workspace.requests()).toHaveLength(2);
    controller.abort(REASON);
    expect(await read).toBe(REASON);
    expect(await write).toMatchObject({ url: "https://a.example" });
    await expect(create(client, {})).rejects.toBe(REASON);
    expect(await workspace.requests()).toHaveLength(2);
  });

  it("while it waits to try again", async () => {
    await workspace.fault({ match: {}, then: { status: 500 } });
    const controller = new AbortController();
    const tried = vi.fn();
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const client = workspace.client({ retry: SLOW, onRequest: tried });
    const call = client.webhooks
      .list({ signal: controller.signal })
      .catch((error: unknown) => error);
    await expect.poll(() => tried).toHaveBeenCalledOnce();
    controller.abort(REASON);
    expect(await call).toBe(REASON);
    expect(await workspace.requests()).toHaveLength(1);
  });

  it("also with a timeout as its signal", async () => {
    await workspace.fault({ match: {}, then: "hang" });
    const client = workspace.client();
    const options = () => ({ signal: AbortSignal.timeout(300) });
    await expect(client.webhooks.list(options())).rejects.toMatchObject({
      name: "TimeoutError",
    });
    await expect(create(client, options())).rejects.toMatchObject({
      name: "AmbiguousError",
      cause: { name: "TimeoutError" },
    });
  });
});

it("an aborted call does not affect other calls", async () => {
  const client = workspace.client({}, { requestsPerSecond: "40" });
  const controller = new AbortController();
  const calls = Array.from({ length: 30 }, (_, n) =>
    client.webhooks.list(n % 2 ? { signal: controller.signal } : {}).then(
      () => n,
      () => `${n} aborted`,
    ),
  );
  controller.abort(REASON);
  expect(await Promise.all(calls)).toEqual(
    calls.map((_, n) => (n % 2 ? `${n} aborted` : n)),
  );
});
