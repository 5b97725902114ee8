import { ConflictError, NotFoundError, ValidationError } from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { all } from "../all";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const environments = () => workspace.client().environments;

describe("environments", () => {
  it("are created, and found in the list", async () => {
    const made = await environments().create({
      name: "staging",
      description: "for tries",
      limitMode: "notify",
      limitValue: 1_000,
    });
    expect(made).toMatchObject({
      name: "staging",
      description: "for tries",
      limitMode: "notify",
      limitValue: 1_000,
      isRestricted: false,
      restrictedAt: null,
    });
    expect(await environments().find(made.id)).toEqual(made);
    expect((await environments().list({ limit: 1 })).data).toHaveLength(1);
    expect(await environments().find("ae_none")).toBeUndefined();
  });

  it("change the given fields, and clear fields that are null", async () => {
    const made = await environments().create({
      name: "staging",
      description: "for tries",
      limitMode: "restrict",
      limitValue: 5,
    });
    const changed = await environments().update(made.id, { name: "stage" });
    expect(changed).toMatchObject({
      id: made.id,
      name: "stage",
      description: "for tries",
      limitValue: 5,
    });
    const cleared = await environments().update(made.id, {
      description: null,
      limitMode: "none",
      limitValue: null,
    });
    expect(cleared).toMatchObject({
      description: null,
      limitMode: "none",
      limitValue: null,
    });
    expect(await environments().find(made.id)).toEqual(cleared);
  });

  it("require a limit for a mode with a limit", async () => {
    const error = await rejection(
      environments().create({ name: "staging", limitMode: "restrict" }),
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ violations: [{ property: "limit_value" }] });
  });

  it("are deleted unless something still uses them", async () => {
    const { apiKeys } = workspace.client();
    const { id } = await environments().create({ name: "staging" });
    const key = await apiKeys.create({
      type: "secret",
      name: "server",
      environment: id,
    });
    await expect(environments().delete(id)).rejects.toThrow(ConflictError);
    await apiKeys.update(key.id, { status: "disabled" });
    expect(await environments().delete(id)).toBeUndefined();
    expect(await environments().find(id)).toBeUndefined();
    await expect(environments().delete(id)).rejects.toThrow(NotFoundError);
    await expect(environments().update(id, { name: "stage" })).rejects.toThrow(
      NotFoundError,
    );
    await expect(environments().delete(workspace.environment)).rejects.toThrow(
      ConflictError,
    );
  });

  // contract: management-226
  it("have the oldest as the default", async () => {
    expect((await environments().findDefault())?.id).toBe(
      workspace.environment,
    );
    await workspace.moveClock("2001-01-01T00:00:00Z");
    const older = await environments().create({ name: "from the past" });
    expect(await environments().findDefault()).toEqual(older);
    const listed = await all(environments().listAll());
    expect(environments().defaultOf(listed)).toEqual(older);
    expect(environments().defaultOf([])).toBeUndefined();
  });

  // contract: management-226
  it("have the first in the list as the default if they are equally old", () => {
    const [a, b] = ["a", "b"].map((id) => ({
      id,
      name: id,
      createdAt: "2030",
    }));
    if (!a || !b) throw new Error("Two were made.");
    expect(environments().defaultOf([a, b])).toBe(a);
    expect(environments().defaultOf([b, a])).toBe(b);
  });
});
