import { NotFoundError, ValidationError, type Client } from "@devid/sdk";
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
import { all } from "../all";
import { plainServer, type PlainServer } from "../http/plain-server";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const hooks = () => workspace.client().webhooks;
const url = "https://a.example/hook";

describe("webhooks", () => {
  it("are created with a signing key that is shown once", async () => {
    const made = await hooks().create({
      url,
      description: "of our shop",
      status: "disabled",
      environment: workspace.environment,
    });
    expect(made).toMatchObject({
      url,
      description: "of our shop",
      status: "disabled",
      environment: workspace.environment,
      verified: false,
      legacy: false,
      lastEnabledAt: null,
    });
    expect(made.signingKey).toMatch(/\S{16,}/);
    const { signingKey, ...rest } = made;
    expect(await hooks().get(made.id)).toEqual(rest);
    expect(JSON.stringify(await hooks().list())).not.toContain(signingKey);
  });

  it("change the given fields, and clear fields that are null", async () => {
    const made = await hooks().create({
      url,
      description: "of our shop",
      environment: workspace.environment,
    });
    const disabled = await hooks().update(made.id, { status: "disabled" });
    expect(disabled).toMatchObject({ url, description: "of our shop" });
    expect(disabled.lastDisabledAt).toEqual(expect.any(String));
    const cleared = await hooks().update(made.id, {
      description: null,
      environment: null,
      url: `${url}/2`,
    });
    expect(cleared).toMatchObject({
      url: `${url}/2`,
      description: null,
      environment: null,
      status: "disabled",
    });
    expect(await hooks().get(made.id)).toEqual(cleared);
  });

  it("are filtered by status and environment", async () => {
    const one = await hooks().create({ url, status: "disabled" });
    const two = await hooks().create({
      url,
      environment: workspace.environment,
    });
    const ids = async (filter: Parameters<Client["webhooks"]["listAll"]>[0]) =>
      (await all(hooks().listAll(filter))).map(({ id }) => id);
    expect(await ids({})).toEqual([one.id, two.id]);
    expect(await ids({ status: "disabled" })).toEqual([one.id]);
    expect(await ids({ environment: workspace.environment })).toEqual([two.id]);
  });

  it("are deleted for good", async () => {
    const { id } = await hooks().create({ url });
    expect(await hooks().delete(id)).toBeUndefined();
    const calls = [
      () => hooks().get(id),
      () => hooks().update(id, { status: "enabled" }),
      () => hooks().delete(id),
      () => hooks().startVerification(id),
    ];
    for (const call of calls)
      await expect(call()).rejects.toThrow(NotFoundError);
  });

  it("throw a named error for a url that the service refuses", async () => {
    const error = await rejection(
      hooks().create({ url: "http://a.example/hook" }),
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ violations: [{ property: "url" }] });
    expect(error.message).toMatch(
      /^Creating webhook http:\/\/a\.example\/hook failed: 400 /,
    );
  });
});

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
