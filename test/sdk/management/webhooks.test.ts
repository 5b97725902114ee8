import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { plainServer, type PlainServer } from "../http/plain-server";
import { workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const hooks = () => workspace.client().webhooks;

describe("the verification of a webhook", () => {
  let receiver: PlainServer;
  beforeAll(async () => {
    receiver = await plainServer((_, response) =>
      response.writeHead(200).end(),
    );
  });
  afterAll(() => receiver.close());

  it("is started again if the answer was lost", async () => {
    const { id } = await hooks().create({ url: `${receiver.url}/again` });
    await workspace.fault({
      match: { path: "*/verification" },
      times: 1,
      then: "reset",
      after: true,
    });
    expect(await hooks().startVerification(id)).toMatchObject({ id });
    await vi.waitFor(async () =>
      expect((await hooks().get(id)).verified).toBe(true),
    );
    const calls = (await workspace.requests()).filter((line) =>
      line.includes("/verification"),
    );
    expect(calls).toHaveLength(2);
  });
});
