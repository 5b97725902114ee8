import { expect, it } from "vitest";
import { serverForTest } from "../http/plain-server";
import { workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

it("the verification of a webhook is started again if the answer was lost", async () => {
  const { url } = await serverForTest((_, response) => response.end());
  const { webhooks } = workspace.client();
  const { id } = await webhooks.create({ url });
  await workspace.fault({
    match: { path: "*/verification" },
    times: 1,
    then: "reset",
    after: true,
  });
  expect(await webhooks.startVerification(id)).toMatchObject({ id });
  await expect.poll(() => webhooks.get(id)).toMatchObject({ verified: true });
  const calls = (await workspace.requests()).filter((line) =>
    line.includes("/verification"),
  );
  expect(calls).toHaveLength(2);
});
