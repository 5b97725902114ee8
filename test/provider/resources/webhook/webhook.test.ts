import { describe, expect, it } from "vitest";
import type { Host } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { hostForTests } from "../../host-for-tests";

let host: Host;
const url = "https://hooks.example/hook";

const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));

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
