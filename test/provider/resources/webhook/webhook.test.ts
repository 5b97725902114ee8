import { describe, expect, it } from "vitest";
import { HostedResource } from "../../../helpers/hosted-resource";
import { hostForTests } from "../../host-for-tests";

const url = "https://hooks.example/hook";

const { workspace, host } = hostForTests();

describe("a webhook", () => {
  it("whose creation was cut off is found and then replaced, because its signing key is lost", async () => {
    const webhook = new HostedResource(host, "Webhook");
    const mark = await workspace.mark();
    await workspace.fault({
      match: { method: "POST" },
      times: 1,
      after: true,
      then: "reset",
    });
    await expect(webhook.up({ url })).rejects.toSay("webhook/signing-key-lost");
    const posts = (await workspace.requestsSince(mark)).filter(
      ({ method }) => method === "POST",
    );
    expect(posts).toHaveLength(1);
    const { id } = webhook;
    expect((await webhook.preview({ url })).replaces).toEqual(["signingKey"]);
    expect(await webhook.up({ url })).toBe("replace");
    expect(webhook.state.signingKey).toEqual(expect.any(String));
    const ids = (await workspace.list("webhooks")).map((one) => one.id);
    expect(ids).toContain(webhook.id);
    expect(ids).not.toContain(id);
  });
});
