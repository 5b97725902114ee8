import { beforeEach, describe, expect, it, vi } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

interface Delivery {
  readonly n: number;
  readonly webhook: string;
  readonly state: string;
  readonly body: string;
  readonly attempts: readonly { readonly signature: string }[];
}

let receiver: WebhookReceiver;
const local = openForTests(new LocalWorkspace());
beforeEach(async () => {
  receiver = await WebhookReceiver.forTest();
});

async function deliveries(query = "", region = "us"): Promise<Delivery[]> {
  const answer = await local.controlCall(
    "GET",
    `/${region}/deliveries${query}`,
  );
  expect(answer.status).toBe(200);
  return answer.body as Delivery[];
}

async function verified(url: string): Promise<string> {
  const { id } = await local.make("/webhooks", { url });
  await local.us("POST", `/webhooks/${id}/verification`);
  await vi.waitFor(async () => {
    const last = (await deliveries()).at(-1);
    expect(last).toMatchObject({ webhook: id, state: "delivered" });
  }, 10_000);
  return id;
}

describe("GET /_local/{region}/deliveries", () => {
  it("lists each delivery with its body, its signature by the webhook's key, and the answer", async () => {
    receiver.reply = { status: 200, headers: { "x-by": "me" }, body: "thanks" };
    const webhook = await verified(receiver.url);
    const delivery = (await deliveries()).at(-1);
    expect(delivery).toMatchObject({
      webhook,
      kind: "test",
      state: "delivered",
      due_at: null,
      attempts: [
        {
          attempt: 1,
          retry: false,
          url: receiver.url,
          status: 200,
          error: null,
          took_ms: expect.any(Number) as number,
          answer: { headers: { "x-by": "me" }, body: "thanks" },
        },
      ],
    });
    expect(delivery?.body).toBe(String(receiver.received[0]?.body));
    const sent = receiver.received[0]?.headers["fpjs-event-signature"];
    expect(delivery?.attempts[0]?.signature).toBe(sent);
  });

  it("continues after a number, and lists its own region only", async () => {
    await verified(receiver.url);
    await verified(receiver.url);
    const all = await deliveries();
    const last = all.at(-1)?.n ?? 0;
    expect(all.map(({ n }) => n)).toEqual(
      [...all.map(({ n }) => n)].sort((a, b) => a - b),
    );
    expect(await deliveries(`?since=${last - 1}`)).toEqual(all.slice(-1));
    expect(await deliveries(`?since=${last}`)).toEqual([]);
    expect(await deliveries("", "eu")).toEqual([]);
    const wrong = await local.controlCall("GET", "/us/deliveries?since=x");
    expect(wrong.status).toBe(400);
    const nowhere = await local.controlCall("GET", "/moon/deliveries");
    expect(nowhere.status).toBe(404);
  });
});

describe("POST /_local/{region}/webhooks", () => {
  const add = (body: object, region = "us") =>
    local.controlCall("POST", `/${region}/webhooks`, { body });

  // contract: management-193
  it("adds a webhook of a kind that the management API can only show and delete", async () => {
    const answer = await add({
      url: receiver.url,
      verified: true,
      legacy: true,
      basic_auth: { username: "hook", password: "secret" },
      signing_key: "known",
    });
    expect(answer.status).toBe(201);
    const { signing_key, ...made } = answer.body as Record<string, unknown>;
    expect(signing_key).toBe("known");
    const { data } = await local.us("GET", `/webhooks/${String(made["id"])}`);
    expect(data).toEqual(made);
    expect(data).toMatchObject({
      url: receiver.url,
      status: "enabled",
      verified: true,
      legacy: true,
      basic_auth: { username: "hook", password: "secret" },
    });
    const path = `/webhooks/${String(made["id"])}`;
    expect((await local.us("DELETE", path)).status).toBe(204);
  });

  it.each([
    [{}, "url"],
    [{ url: "http://hooks.example/" }, "url"],
    [{ url: "https://hooks.example/", environment: "ae_x" }, "environment"],
    [{ url: "https://hooks.example/", signing_key: "" }, "signing_key"],
    [{ url: "https://hooks.example/", basic_auth: "a:b" }, "basic_auth"],
    [{ url: "https://hooks.example/", extra: 1 }, "extra"],
  ])("refuses %j", async (body, property) => {
    expect((await add(body)).violation).toEqual([400, [property]]);
  });
});
