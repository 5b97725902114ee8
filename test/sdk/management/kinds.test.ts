import { ConflictError, NotFoundError } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { all } from "../all";
import { type Workspace, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

interface Made {
  readonly id: string;
}

/** The calls that a kind of record has. */
interface Calls {
  create(input: object): Promise<Made>;
  update(id: string, input: object): Promise<Made>;
  delete(id: string): Promise<void>;
  /** `find` of environments, which the service cannot read one by one. */
  get?(id: string): Promise<Made>;
  find?(id: string): Promise<Made | undefined>;
  list(filter?: object): Promise<unknown>;
}

interface Kind {
  readonly inputs: object;
  /** Members that only the answer to the create has. */
  readonly shownOnce?: readonly string[];
  readonly change: object;
  /** Members that a change sets to null, or to a value of the service's choice. */
  readonly cleared: object;
}

const environment = () => workspace.environment;
const KINDS: Record<string, () => Kind> = {
  apiKeys: () => ({
    inputs: {
      ...{ type: "secret", name: "server", description: "of our shop" },
      environment: environment(),
    },
    shownOnce: ["token"],
    change: { status: "disabled", rateLimit: 0.5 },
    cleared: { description: null },
  }),
  webhooks: () => ({
    inputs: {
      ...{ url: "https://a.example/hook", description: "of our shop" },
      environment: environment(),
    },
    shownOnce: ["signingKey"],
    change: { status: "disabled", url: "https://a.example/2" },
    cleared: { description: null, environment: null },
  }),
  environments: () => ({
    inputs: {
      ...{ name: "staging", description: "for tries" },
      ...{ limitMode: "notify", limitValue: 1_000 },
    },
    change: { name: "stage" },
    cleared: { description: null, limitMode: "none", limitValue: null },
  }),
  filteringRules: () => ({
    inputs: {
      ...{ name: "shop", expression: "true", action: "deny" },
      ...{ denyWith: "Forbidden", environment: environment() },
    },
    change: { status: "disabled", name: "store" },
    cleared: { action: "allow", denyWith: null },
  }),
};

describe.each(Object.entries(KINDS))("%s", (name, kindOf) => {
  const calls = () =>
    (workspace.client() as unknown as Record<string, Calls>)[name] as Calls;
  const read = (id: string) =>
    calls().get?.(id) ?? calls().find?.(id) ?? Promise.reject(new Error(id));

  it("are created, and show a secret once", async () => {
    const { inputs, shownOnce = [] } = kindOf();
    const made = await calls().create(inputs);
    expect(made).toMatchObject(inputs);
    const secrets = shownOnce.map((member) => [
      member,
      (made as unknown as Record<string, string>)[member],
    ]);
    for (const [, secret] of secrets) expect(secret).toMatch(/\S{8,}/);
    const rest = Object.fromEntries(
      Object.entries(made).filter(([member]) => !shownOnce.includes(member)),
    );
    expect(await read(made.id)).toEqual(rest);
    const listed = JSON.stringify(await calls().list({}));
    for (const [, secret] of secrets) expect(listed).not.toContain(secret);
  });

  it("change the given fields, and clear fields that are null", async () => {
    const { inputs, change, cleared } = kindOf();
    const { id } = await calls().create(inputs);
    const changed = await calls().update(id, change);
    expect(changed).toMatchObject({ ...inputs, ...change, id });
    expect(await read(id)).toEqual(changed);
    const empty = await calls().update(id, cleared);
    expect(empty).toMatchObject({ ...inputs, ...change, ...cleared, id });
    expect(await read(id)).toEqual(empty);
  });

  it("are deleted for good, and then are named errors", async () => {
    const { id } = await calls().create(kindOf().inputs);
    expect(await calls().delete(id)).toBeUndefined();
    if (calls().find) expect(await read(id)).toBeUndefined();
    else await expect(read(id)).rejects.toThrow(NotFoundError);
    for (const call of [
      () => calls().update(id, kindOf().change),
      () => calls().delete(id),
    ])
      await expect(call()).rejects.toThrow(NotFoundError);
  });
});

it("encryption keys are rotated, reverted and found by filters", async () => {
  const { encryptionKeys } = workspace.client();
  const status = "disabled";
  const [first] = await all(encryptionKeys.listAll({ status }));
  if (!first) throw new Error("A workspace starts with an encryption key.");
  const { id, token, nextToken } = first;
  const rotated = await encryptionKeys.rotate(id);
  expect(rotated).toMatchObject({ previousToken: token, token: nextToken });
  const changed = await encryptionKeys.update(id, { name: "Results" });
  expect(changed).toEqual({ ...rotated, name: "Results" });
  const reverted = await encryptionKeys.revert(id);
  expect(reverted).toMatchObject({ token, nextToken, previousToken: null });
  expect(await encryptionKeys.get(id)).toEqual(reverted);
  await expect(encryptionKeys.revert(id)).rejects.toThrow(ConflictError);
});

describe("the default environment", () => {
  // contract: management-226
  it("is the oldest", async () => {
    const { environments } = workspace.client();
    expect((await environments.findDefault())?.id).toBe(workspace.environment);
    await workspace.moveClock("2001-01-01T00:00:00Z");
    const older = await environments.create({ name: "from the past" });
    expect(await environments.findDefault()).toEqual(older);
    const listed = await all(environments.listAll());
    expect(environments.defaultOf(listed)).toEqual(older);
  });

  const made = (id: string, createdAt?: string) =>
    ({ id, name: id, createdAt }) as unknown as Parameters<
      ReturnType<Workspace["client"]>["environments"]["defaultOf"]
    >[0][number];

  // contract: management-226
  it.each([
    [
      "the first of equally old ones",
      [made("a", "2030"), made("b", "2030")],
      "a",
    ],
    ["never one without a creation time", [made("a"), made("b", "2026")], "b"],
    ["not known without any creation time", [made("a"), made("b")], undefined],
    ["the only one", [made("a")], "a"],
    ["not known without environments", [], undefined],
  ])("is %s", (_, environments, id) => {
    const { environments: calls } = workspace.client();
    expect(calls.defaultOf(environments)?.id).toBe(id);
  });
});
