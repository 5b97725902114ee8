import { startService, type Service } from "@devid/service";
import { createClient, type Client } from "@devid/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postVisits } from "../../tools/demo/src/post-visits";
import { all } from "../sdk/all";

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService({
    port: 0,
    logLevel: "silent",
    rateLimit: "off",
  });
  const { secretKey } = service.workspaces.us;
  const rate = { eventsRequestsPerSecond: 1_000 };
  client = createClient({ endpoint: service.url, secretKey, ...rate });
});
afterAll(() => service.close());

it("the demo's service has a week of visits of people, crawlers and apps, posted once", async () => {
  await postVisits(service);
  await postVisits(service);
  const events = await all(client.events.searchAll());
  expect(events).toHaveLength(2 * 7 * 24);
  const count = (of: (event: (typeof events)[number]) => boolean) =>
    events.filter(of).length;
  expect(count(({ bot }) => bot === "good")).toBe(34);
  expect(count(({ sdk }) => sdk?.platform === "android")).toBe(34);
  expect(count(({ origin }) => origin === "https://sh0p.example")).toBe(33);
  const visitors = events.map(
    ({ identification }) => identification?.visitor_id,
  );
  expect(new Set(visitors).size).toBe(40);
});
