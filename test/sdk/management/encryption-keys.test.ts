import {
  AmbiguousError,
  ConflictError,
  NotFoundError,
  type EncryptionKey,
} from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { all } from "../all";
import { Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

let first: EncryptionKey;
const workspace = openForTests(new Workspace());
beforeEach(async () => {
  await workspace.reset();
  const [key] = await all(keys().listAll());
  if (!key) throw new Error("A workspace starts with an encryption key.");
  first = key;
});

const keys = () => workspace.client().encryptionKeys;

describe("encryption keys", () => {
  it("belong to an environment, and show their tokens", async () => {
    expect(first).toMatchObject({
      environment: workspace.environment,
      status: "disabled",
      previousToken: null,
      lastRotatedAt: null,
    });
    for (const token of [first.token, first.nextToken])
      expect(Buffer.from(String(token), "base64")).toHaveLength(32);
    expect(await keys().get(first.id)).toEqual(first);
  });

  it("change the given fields", async () => {
    const changed = await keys().update(first.id, {
      status: "enabled",
      name: "Results",
      description: "sealed",
    });
    expect(changed).toMatchObject({
      ...first,
      status: "enabled",
      name: "Results",
      description: "sealed",
      lastActivatedAt: expect.any(String) as string,
    });
    const cleared = await keys().update(first.id, { description: null });
    expect(cleared).toMatchObject({ name: "Results", description: null });
    expect(await keys().get(first.id)).toEqual(cleared);
  });

  it("can be rotated, and the last rotation can be reverted", async () => {
    await workspace.moveClock("2030-01-01T00:00:00Z");
    const rotated = await keys().rotate(first.id);
    expect(rotated).toMatchObject({
      previousToken: first.token,
      token: first.nextToken,
    });
    expect(rotated.lastRotatedAt).toMatch(/^2030-01-01/);
    expect(await keys().get(first.id)).toEqual(rotated);
    const reverted = await keys().revert(first.id);
    expect(reverted).toMatchObject({
      previousToken: null,
      token: first.token,
      nextToken: first.nextToken,
    });
    await expect(keys().revert(first.id)).rejects.toThrow(ConflictError);
  });

  it("are rotated only once, even if the answer is lost", async () => {
    await workspace.fault({
      match: { path: "*/rotate" },
      times: 1,
      then: "reset",
      after: true,
    });
    await expect(keys().rotate(first.id)).rejects.toThrow(AmbiguousError);
    expect((await keys().get(first.id)).token).toBe(first.nextToken);
    const rotations = (await workspace.requests()).filter((line) =>
      line.includes("/rotate"),
    );
    expect(rotations).toHaveLength(1);
  });

  it("are filtered by status and environment", async () => {
    const environment = await workspace
      .client()
      .environments.create({ name: "other" });
    await keys().update(first.id, { status: "enabled" });
    const found = await all(keys().listAll({ status: "disabled" }));
    expect(found.map((key) => key.environment)).toEqual([environment.id]);
    expect(
      (await keys().list({ environment: workspace.environment })).data.map(
        ({ id }) => id,
      ),
    ).toEqual([first.id]);
  });

  it("throw a named error if they do not exist", async () => {
    const calls = [
      () => keys().get("ek_none"),
      () => keys().update("ek_none", { status: "enabled" }),
      () => keys().rotate("ek_none"),
      () => keys().revert("ek_none"),
    ];
    for (const call of calls)
      await expect(call()).rejects.toThrow(NotFoundError);
  });
});
