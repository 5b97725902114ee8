import {
  AmbiguousError,
  NotFoundError,
  UnexpectedAnswerError,
  UnreachableError,
} from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const url = "https://a.example";
const hooks = () => workspace.client().webhooks;
const reset = (method: string, after: boolean, times = 1) =>
  workspace.fault({ match: { method }, times, then: "reset", after });

describe("a create with a cut connection", () => {
  it.each([
    ["cut before the work leaves nothing", false, 0],
    // contract: management-26
    ["cut after the work leaves the object", true, 1],
  ])("%s, and is not repeated", async (_, after, count) => {
    await reset("POST", after);
    const error = await rejection(hooks().create({ url }));
    expect(error).toBeInstanceOf(AmbiguousError);
    expect(error).toMatchObject({
      operation: `Creating webhook ${url}`,
      observed: expect.stringMatching(
        /^(ECONNRESET|UND_ERR_SOCKET)$/,
      ) as string,
    });
    expect(error.message).toContain("Look in the workspace");
    const lines = await workspace.requests();
    expect(lines).toHaveLength(1);
    expect((await hooks().list()).data).toHaveLength(count);
  });

  it("in the middle of the answer is also ambiguous", async () => {
    await workspace.fault({
      match: { method: "POST" },
      times: 1,
      then: { truncate: 20 },
    });
    await expect(hooks().create({ url })).rejects.toThrow(AmbiguousError);
    expect(await workspace.requests()).toHaveLength(1);
    expect((await hooks().list()).data).toHaveLength(1);
  });
});

describe("a call that is safe to repeat is repeated:", () => {
  it.each([false, true])("a change, cut after the work: %s", async (after) => {
    const { id } = await hooks().create({ url });
    await reset("PATCH", after, 2);
    const changed = await hooks().update(id, { status: "disabled" });
    expect(changed.status).toBe("disabled");
    expect((await workspace.requests()).slice(1)).toEqual([
      `PATCH /webhooks/${id} 0`,
      `PATCH /webhooks/${id} 0`,
      `PATCH /webhooks/${id} 200`,
    ]);
  });

  it("a delete, cut before the work", async () => {
    const { id } = await hooks().create({ url });
    await reset("DELETE", false);
    await hooks().delete(id);
    await expect(hooks().get(id)).rejects.toThrow(NotFoundError);
  });

  it("a delete, cut after the work, which then counts as done", async () => {
    const { id } = await hooks().create({ url });
    await reset("DELETE", true);
    await hooks().delete(id);
    expect((await workspace.requests()).slice(1)).toEqual([
      `DELETE /webhooks/${id} 0`,
      `DELETE /webhooks/${id} 404`,
    ]);
  });

  // contract: management-27, management-161, management-236
  it("an update by POST, cut after the work", async () => {
    const { environments } = workspace.client();
    await reset("POST", true);
    const { name } = await environments.update(workspace.environment, {
      name: "renamed",
    });
    expect(name).toBe("renamed");
    expect(await workspace.requests()).toHaveLength(2);
  });

  it("a list, cut in the middle of the answer", async () => {
    await hooks().create({ url });
    await workspace.fault({
      match: { method: "GET" },
      times: 2,
      then: { truncate: 30 },
    });
    expect((await hooks().list()).data).toHaveLength(1);
    expect(await workspace.requests()).toHaveLength(4);
  });

  it("until the last attempt", async () => {
    await reset("GET", false, 9);
    const error = await rejection(hooks().list());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ attempts: 4, origin: workspace.service.url });
    expect(await workspace.requests()).toHaveLength(4);
  });
});

it("an unreadable answer to a create is a named error, and the create is not repeated", async () => {
  await workspace.fault({
    match: { method: "POST" },
    then: { status: 201, body: "<html>" },
    after: true,
  });
  const error = await rejection(hooks().create({ url }));
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error.message).toContain("The service has probably done it.");
  expect(await workspace.requests()).toHaveLength(1);
});

it("an unreadable answer to a read does not say that the call was done", async () => {
  await workspace.fault({
    match: { method: "GET" },
    then: { status: 200, body: "<html>" },
  });
  const error = await rejection(hooks().list());
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
  expect(error.message).not.toContain("done");
});
