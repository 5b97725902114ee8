import { beforeEach, describe, expect, it, vi } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { requestTests } from "../request-tests.js";
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
          ...{ attempt: 1, retry: false, url: receiver.url },
          ...{ status: 200, error: null },
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
    const numbers = all.map(({ n }) => n);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await deliveries(`?since=${last - 1}`)).toEqual(all.slice(-1));
    expect(await deliveries(`?since=${last}`)).toEqual([]);
    expect(await deliveries("", "eu")).toEqual([]);
  });

  requestTests(
    local,
    `
refuses another number and another region
  control GET /us/deliveries?since=x = 400 [since]
  control GET /moon/deliveries = 404
`,
  );
});

describe("POST /_local/{region}/webhooks", () => {
  // contract: management-193
  it("adds a webhook of a kind that the management API can only show and delete", async () => {
    const given = {
      ...{ url: receiver.url, verified: true, legacy: true },
      basic_auth: { username: "hook", password: "secret" },
    };
    const body = { ...given, signing_key: "known" };
    const answer = await local.controlCall("POST", "/us/webhooks", { body });
    expect(answer.status).toBe(201);
    const { signing_key, ...made } = answer.body as Record<string, unknown>;
    expect(signing_key).toBe("known");
    const path = `/webhooks/${String(made["id"])}`;
    const { data } = await local.us("GET", path);
    expect(data).toEqual(made);
    expect(data).toMatchObject({ ...given, status: "enabled" });
    expect((await local.us("DELETE", path)).status).toBe(204);
  });

  requestTests(
    local,
    `
refuses wrong webhooks
  control POST /us/webhooks {} = 400 [url]
  control POST /us/webhooks {url: http://hooks.example/} = 400 [url]
  control POST /us/webhooks {url: https://a.example, environment: ae_x} = 400 [environment]
  control POST /us/webhooks {url: https://a.example, signing_key: ""} = 400 [signing_key]
  control POST /us/webhooks {url: https://a.example, basic_auth: a:b} = 400 [basic_auth]
  control POST /us/webhooks {url: https://a.example, extra: 1} = 400 [extra]
`,
  );
});
