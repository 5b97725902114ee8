import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { exported } from "./exported";

let verified: string;

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  const made = await workspace.control("/us/webhooks", {
    url: "https://hooks.shop.example/verified",
    verified: true,
  });
  verified = (made as { id: string }).id;
  await workspace.call("POST", "/webhooks", {
    url: "https://hooks.shop.example/unverified",
  });
});

const NAME = "hooks-shop-example";

it("has a verification in TypeScript that refers to the webhook's ID and address", async () => {
  const { files } = await exported(workspace);
  const program = files.get("webhook-verifications.ts") ?? "";
  expect(program.match(/new devid\.\w+/g)).toEqual([
    "new devid.WebhookVerification",
  ]);
  expect(program).toContain("webhookId: webhooks.hooksShopExample.id,\n");
  expect(program).toContain("url: webhooks.hooksShopExample.url,\n");
});

it("has a verification in the imported state, after the webhook", async () => {
  const { files } = await exported(workspace);
  const state = JSON.parse(files.get("import.json") ?? "") as {
    deployment: { resources: Record<string, unknown>[] };
  };
  const { resources } = state.deployment;
  const urn = (kind: string) =>
    `urn:pulumi:us::devid-workspace::pulumi-nodejs:dynamic/devid:${kind}::${NAME}`;
  const urns = resources.map((resource) => resource.urn);
  const webhook = urns.indexOf(urn("Webhook"));
  expect(webhook).toBeGreaterThan(0);
  const found = resources.filter(({ type }) =>
    String(type).endsWith(":WebhookVerification"),
  );
  expect(found).toMatchObject([
    {
      urn: urn("WebhookVerification"),
      id: verified,
      inputs: {
        webhookId: verified,
        url: "https://hooks.shop.example/verified",
      },
      dependencies: [urn("Webhook")],
    },
  ]);
  expect(urns.indexOf(urn("WebhookVerification"))).toBeGreaterThan(webhook);
});

it("has a verification in YAML, and in the list of objects for the plugin", async () => {
  const { files } = await exported(workspace, {}, { language: "yaml" });
  const { resources } = parse(files.get("Pulumi.yaml") ?? "") as {
    resources: Record<string, { type: string; properties: object }>;
  };
  const [webhook] =
    Object.entries(resources).find(
      ([, { type, properties }]) =>
        type === "devid:Webhook" &&
        Object.values(properties).includes(
          "https://hooks.shop.example/verified",
        ),
    ) ?? [];
  expect(
    Object.values(resources).filter(
      ({ type }) => type === "devid:WebhookVerification",
    ),
  ).toMatchObject([
    {
      properties: { webhookId: `\${${webhook}.id}`, url: `\${${webhook}.url}` },
    },
  ]);
  const list = JSON.parse(files.get("import.json") ?? "") as {
    resources: { type: string }[];
  };
  expect(
    list.resources.filter(({ type }) => type.endsWith("Verification")),
  ).toEqual([
    { type: "devid:index:WebhookVerification", name: NAME, id: verified },
  ]);
});
