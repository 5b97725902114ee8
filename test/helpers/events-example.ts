import type { LocalWorkspace } from "./local-workspace";

/**
 * Fills a workspace with what examples/events reads: an event of a visitor, two of bad
 * bots, a device reputation, an API key and a webhook. @returns the config of its stack
 */
export async function fillForEventsExample(
  workspace: LocalWorkspace,
): Promise<Readonly<Record<string, string>>> {
  await workspace.control("/us/events", [
    { identification: { visitor_id: "v-1" }, url: "https://shop.example/" },
    { bot: "bad" },
    { bot: "bad" },
  ]);
  await workspace.control("/us/drn/v-1", {
    regionalActivity: {
      startDate: "2026-01-01T00:00:00Z",
      endDate: "2026-01-31T00:00:00Z",
      countries: [
        { code: "FR", detectors: [{ type: "ip", activityPercentage: 1 }] },
      ],
    },
  });
  const agentKey = { name: "Shop pages", type: "public" };
  await workspace.call("POST", "/api-keys", agentKey);
  const webhook = { url: "https://shop.example/hook" };
  await workspace.control("/us/webhooks", webhook);
  return { visitorId: "v-1", agentKey: agentKey.name, webhookUrl: webhook.url };
}
