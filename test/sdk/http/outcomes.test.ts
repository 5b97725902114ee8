import { AmbiguousError, UnexpectedAnswerError, type Client } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { rejection, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const url = "https://a.example";
const client = () => workspace.client();
/** A client that waits only so long for an answer: the limit for headers is looked at once a second. */
const hasty = () => workspace.client({ timeouts: { attemptTimeoutMs: 300 } });

type Fault = Parameters<typeof workspace.fault>[0];

/** Faults that say neither that a call was done nor that it was not. */
const FAULTS: [string, Omit<Fault, "match">, RegExp][] = [
  ["500", { then: { status: 500 } }, /^500 /],
  ["a cut before the work", { then: "reset" }, /RESET|SOCKET/],
  ["a cut after the work", { then: "reset", after: true }, /RESET|SOCKET/],
  ["half an answer", { then: { truncate: 8 } }, /SOCKET|MISMATCH|RESET/],
  ["silence after the work", { then: "hang", after: true }, /TimeoutError/],
];

/** Calls that may be repeated. Each gets the ID of a webhook. */
const SAFE: Readonly<
  Record<string, (c: Client, id: string) => Promise<unknown>>
> = {
  "a read": (c, id) => c.webhooks.get(id),
  "a list": (c) => c.webhooks.list(),
  "a change": (c, id) => c.webhooks.update(id, { status: "disabled" }),
  "a delete": (c, id) => c.webhooks.delete(id),
  "a change by POST": (c) =>
    c.environments.update(workspace.environment, { name: "renamed" }),
};

/** Calls that may not. */
const UNSAFE: Readonly<Record<string, (c: Client) => Promise<unknown>>> = {
  "an API key": (c) => c.apiKeys.create({ type: "secret", name: "abc" }),
  "a webhook": (c) => c.webhooks.create({ url }),
  "an environment": (c) => c.environments.create({ name: "abc" }),
  "a rule": (c) =>
    c.filteringRules.create({
      ...{ name: "a", expression: "true", action: "deny" },
      environment: workspace.environment,
    }),
  "rules in bulk": (c) => c.filteringRules.bulk({ rules: [] }),
  "a rotation": (c) => c.encryptionKeys.rotate("ek_1"),
  "its reversal": (c) => c.encryptionKeys.revert("ek_1"),
};

describe.each(FAULTS)("after %s,", (what, fault, observed) => {
  // The answer to a delete has no body that could be cut.
  const safe = Object.entries(SAFE).filter(
    ([name]) => !/half.*delete/.test(`${what} ${name}`),
  );

  // contract: management-27, management-161, management-236
  it.each(safe)("%s is repeated", async (_name, call) => {
    const { id } = await client().webhooks.create({ url });
    await workspace.fault({ match: {}, times: 2, ...fault });
    await call(hasty(), id);
    expect(await workspace.requests()).toHaveLength(4);
  });

  it("a read ends with an error after four attempts", async () => {
    await workspace.fault({ match: {}, ...fault });
    const error = await rejection(hasty().webhooks.list());
    expect(`${error.name}: ${error.message}`).toMatch(
      /^(ServerError: |UnreachableError: .* sent no whole answer )/,
    );
    expect(error).toMatchObject({ attempts: 4 });
    expect(await workspace.requests()).toHaveLength(4);
  });

  // contract: management-26
  it("a create is ambiguous, and is not repeated", async () => {
    await workspace.fault({ match: {}, times: 1, ...fault });
    const error = await rejection(hasty().webhooks.create({ url }));
    expect(error).toBeInstanceOf(AmbiguousError);
    expect(error).toMatchObject({
      operation: `Creating webhook ${url}`,
      observed: expect.stringMatching(observed) as string,
    });
    expect(error.message).toContain("Look in the workspace");
    expect(await workspace.requests()).toHaveLength(1);
    const isDone = fault.after === true || what === "half an answer";
    const { data } = await client().webhooks.list();
    expect(data).toHaveLength(isDone ? 1 : 0);
  });
});

it.each(Object.entries(UNSAFE))(
  "the creation of %s is ambiguous after a 500, and is not repeated",
  async (_name, call) => {
    await workspace.fault({ match: {}, then: { status: 500 } });
    const error = await rejection(call(client()));
    expect(error).toBeInstanceOf(AmbiguousError);
    expect(await workspace.requests()).toHaveLength(1);
  },
);

it("a delete that may have been done does not say that it was not", async () => {
  await workspace.fault({ match: {}, then: "hang", after: true });
  const error = await rejection(hasty().webhooks.delete("wh_1"));
  expect(error.name).toBe("UnreachableError");
  expect(error.message).not.toContain("nothing was changed");
});

describe("a delete", () => {
  it("whose work was done by an attempt without an answer counts as done", async () => {
    const { id } = await client().webhooks.create({ url });
    await workspace.fault({ match: {}, times: 1, then: "reset", after: true });
    await client().webhooks.delete(id);
    expect((await workspace.requests()).slice(1)).toEqual([
      `DELETE /webhooks/${id} 0`,
      `DELETE /webhooks/${id} 404`,
    ]);
  });

  it("that is answered without a body, as by a gateway, counts as done only if the object is gone", async () => {
    const { id } = await client().webhooks.create({ url });
    const fault = { match: { method: "DELETE" }, then: { status: 200 } };
    await workspace.fault({ ...fault, times: 1 });
    const error = await rejection(client().webhooks.delete(id));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    await workspace.fault({ ...fault, after: true });
    await client().webhooks.delete(id);
    expect((await workspace.requests()).slice(1)).toEqual([
      `DELETE /webhooks/${id} 200`,
      `GET /webhooks/${id} 200`,
      `DELETE /webhooks/${id} 200`,
      `GET /webhooks/${id} 404`,
    ]);
  });

  // An environment has no GET of its own (docs/contract.md).
  it("of an environment counts as done only if the list lacks it", async () => {
    const { environments } = client();
    const { id } = await environments.create({ name: "Staging" });
    const fault = { match: { method: "DELETE" }, then: { status: 200 } };
    await workspace.fault({ ...fault, times: 1 });
    const error = await rejection(environments.delete(id));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    await workspace.fault({ ...fault, after: true });
    await environments.delete(id);
    expect(await environments.find(id)).toBeUndefined();
  });

  it("of a missing object is an error, also after a 429", async () => {
    await workspace.fault({ match: {}, times: 1, then: { status: 429 } });
    const error = await rejection(client().webhooks.delete("wh_1"));
    expect(error.name).toBe("NotFoundError");
  });
});

it.each<[string, number, (c: Client) => Promise<unknown>, boolean]>([
  ["create", 201, (c) => c.webhooks.create({ url }), true],
  ["read", 200, (c) => c.webhooks.list(), false],
])(
  "an unreadable answer to a %s is a named error, and is not asked for again",
  async (_, status, call, isWrite) => {
    const then = { status, body: "<html>" };
    await workspace.fault({ match: {}, then, after: true });
    const error = await rejection(call(client()));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message.includes("It is not known whether")).toBe(isWrite);
    expect(await workspace.requests()).toHaveLength(1);
  },
);
