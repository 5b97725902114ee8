import { NotFoundError } from "@devid/sdk";
import { verifyWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { plainServer, type PlainServer } from "../http/plain-server";
import { Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const hooks = () => workspace.client().webhooks;

describe("the verification of a webhook", () => {
  let receiver: PlainServer;
  beforeAll(async () => {
    receiver = await plainServer((_, response) =>
      response.writeHead(200).end(),
    );
  });
  afterAll(() => receiver.close());

  it("sends a signed event, and succeeds if the answer has status 200", async () => {
    const made = await hooks().create({ url: `${receiver.url}/hook` });
    const started = await hooks().startVerification(made.id);
    expect(started).toMatchObject({ id: made.id, url: made.url });
    await vi.waitFor(async () =>
      expect((await hooks().get(made.id)).verified).toBe(true),
    );
    const delivery = receiver.received.at(-1);
    expect(delivery).toMatchObject({ method: "POST", path: "/hook" });
    expect(
      await verifyWebhook(
        delivery?.body ?? "",
        String(delivery?.headers[WEBHOOK_SIGNATURE_HEADER]),
        made.signingKey ?? "",
      ),
    ).toBe(true);

    const moved = await hooks().update(made.id, {
      url: `${receiver.url}/other`,
    });
    expect(moved.verified).toBe(false);
  });

  it("of a webhook that is not there is a named error", async () => {
    const started = hooks().startVerification("wh_1");
    await expect(started).rejects.toThrow(NotFoundError);
  });

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
