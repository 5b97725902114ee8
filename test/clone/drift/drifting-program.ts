import { join } from "node:path";
import type { Declared } from "../../helpers/engine-stack";
import { readRecorded } from "../../helpers/recorded-preview";
import type { LocalWorkspace } from "../../helpers/local-workspace";

/**
 * A real engine's preview of the program when its objects exist, with names between angle
 * brackets instead of their IDs.
 */
export const RECORDED = JSON.stringify(
  readRecorded(join(__dirname, "recorded/preview.yaml")),
  undefined,
  2,
);

/** A program with a resource of each kind, and a key that somebody will delete. */
export const DRIFTING: readonly Declared[] = [
  { as: "staging", kind: "Environment", args: { name: "Staging" } },
  { as: "kept", kind: "ApiKey", args: { name: "Kept", type: "secret" } },
  { as: "gone", kind: "ApiKey", args: { name: "Gone", type: "secret" } },
  {
    as: "hook",
    kind: "Webhook",
    args: { url: "https://shop.example/hook" },
  },
  {
    as: "rules",
    kind: "FilteringRuleSet",
    args: {
      rules: [
        { name: "first", expression: 'sdk.version == "1.2.3"', action: "deny" },
        { name: "last", expression: 'sdk.version == "1.2.4"', action: "deny" },
      ],
    },
  },
  {
    as: "sealing",
    kind: "EncryptionKey",
    args: { environment: "$staging.id", status: "enabled" },
  },
];

/** Changes an object of each kind, deletes a key and creates a webhook, as somebody would in the dashboard. */
export async function changeInDashboard(
  workspace: LocalWorkspace,
): Promise<void> {
  const all = async (collection: string) =>
    (await workspace.list(collection)) as {
      id: string;
      name?: string;
      status?: string;
    }[];
  const idOf = async (collection: string, name?: string) =>
    (await all(collection)).find(
      (one) => name === undefined || one.name === name,
    )?.id ?? "";
  const change = async (path: string, body: unknown) =>
    workspace.call("PATCH", path, body);
  const environment = await idOf("environments", "Staging");
  await workspace.call("POST", `/environments/${environment}`, {
    name: "Theirs",
  });
  await change(`/api-keys/${await idOf("api-keys", "Kept")}`, {
    status: "disabled",
  });
  await workspace.call("DELETE", `/api-keys/${await idOf("api-keys", "Gone")}`);
  await change(`/webhooks/${await idOf("webhooks")}`, {
    url: "https://theirs.example/hook?token=not-to-be-shown",
  });
  await workspace.call(
    "POST",
    `/filtering-rules/${await idOf("filtering-rules", "first")}`,
    { status: "disabled" },
  );
  const sealing = (await all("encryption-keys")).find(
    ({ status }) => status === "enabled",
  );
  await change(`/encryption-keys/${sealing?.id}`, { status: "disabled" });
  await workspace.call("POST", "/webhooks", {
    url: "https://by-hand.example/hook",
  });
}

/**
 * Creates with the API what the program declares. Returns the IDs by the names of the resources,
 * and the default environment's ID as `default`.
 */
export async function makeObjects(
  workspace: LocalWorkspace,
): Promise<Record<string, string>> {
  const [home] = await workspace.list("environments");
  const ids: Record<string, string> = { default: String(home?.id) };
  const collections: Record<string, string> = {
    Environment: "environments",
    ApiKey: "api-keys",
    Webhook: "webhooks",
  };
  for (const { as, kind, args } of DRIFTING) {
    const path = collections[kind];
    if (path === undefined) continue;
    ids[as] = (await workspace.make(`/${path}`, args)).id;
  }
  for (const { args } of DRIFTING.filter(
    ({ kind }) => kind === "FilteringRuleSet",
  ))
    await workspace.call("POST", "/filtering-rules/bulk", {
      rules: (args.rules as object[]).map((rule) => ({
        ...rule,
        status: "enabled",
        deny_with: "Forbidden",
      })),
      environment: ids.default,
    });
  const keys = await workspace.list("encryption-keys");
  const sealing = keys.find(({ environment }) => environment === ids.staging);
  ids.sealing = String(sealing?.id);
  await workspace.call("PATCH", `/encryption-keys/${ids.sealing}`, {
    status: "enabled",
  });
  return ids;
}
