import { beforeAll, expect, it } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { exported } from "./exported";

let verified: string;

const workspace = sharedForTests();
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

it("has a verification in the list of objects for pulumi import", async () => {
  const { files } = await exported(workspace);
  const list = JSON.parse(files.get("import.json") ?? "") as {
    resources: { type: string }[];
  };
  expect(
    list.resources.filter(({ type }) => type.endsWith("Verification")),
  ).toEqual([
    { type: "devid:index:WebhookVerification", name: NAME, id: verified },
  ]);
});
