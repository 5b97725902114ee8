import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  defineResource,
  type ResourceDefinition,
} from "../../../provider/src/definition/define-resource";
import {
  managedIfSet,
  revealOnce,
  secret,
} from "../../../provider/src/definition/field";
import { IncompleteError } from "../../../provider/src/definition/incomplete-error";
import { Lifecycle } from "../../../provider/src/lifecycle/lifecycle";
import { silentClient } from "../local-client";

const inputs = z.object({
  title: z.string(),
  size: managedIfSet(z.number()).optional(),
});
const outputs = inputs.extend({
  code: revealOnce(secret(z.string())).optional(),
  seenAt: z.string().optional(),
});
type Outputs = z.output<typeof outputs>;

/** A made-up resource, version 3 of its shape, whose service is an object. */
function thing(service: Partial<Outputs>) {
  const seen: object[] = [];
  const definition = defineResource({
    kind: "Thing",
    description: "A thing.",
    schemaVersion: 3,
    upgrades: [
      (state) => ({ ...state, title: `${nameOf(state)} (1)` }),
      (state) => ({ ...state, title: `${titleOf(state)} (2)` }),
    ],
    inputs,
    outputs,
    create: () => Promise.resolve({ id: "1", outputs: service }),
    read: ({ last }) => {
      if (last) seen.push(last);
      return Promise.resolve(service as Outputs);
    },
    update: ({ last }) => {
      seen.push(last);
      return Promise.resolve(service);
    },
    delete: ({ last }) => {
      seen.push(last);
      return Promise.resolve();
    },
  });
  return {
    definition,
    lifecycle: new Lifecycle(definition, tell),
    seen,
  };
}
const nameOf = (state: object) => (state as { name: string }).name;
const titleOf = (state: object) => (state as { title: string }).title;
const client = silentClient();
const tell = () => Promise.resolve();

describe("a state of an older version", () => {
  const first = { name: "old", schemaVersion: 1 };
  const second = { title: "old", schemaVersion: 2 };

  it("is upgraded by the steps that it has not seen, before anything uses it", async () => {
    const { lifecycle, seen } = thing({});
    const titles = () => seen.map(titleOf);
    await lifecycle.read(client, "1", first);
    await lifecycle.update(client, "1", first, { title: "new" });
    await lifecycle.delete(client, "1", second);
    expect(titles()).toEqual(["old (1) (2)", "old (1) (2)", "old (2)"]);
    const difference = lifecycle.diff(second, { title: "old (2)" });
    expect(difference.changes).toBe(false);
  });

  it("becomes one of this version", async () => {
    const { lifecycle } = thing({});
    const state = await lifecycle.update(client, "1", first, { title: "new" });
    expect(state).toEqual({ title: "new", schemaVersion: 3 });
    const made = await lifecycle.create(client, { title: "new" });
    expect(made.state).toEqual({ title: "new", schemaVersion: 3 });
  });
});

it("refuses a state of a newer version in every step", async () => {
  const { lifecycle, seen } = thing({});
  const newer = { title: "x", schemaVersion: 4 };
  const message =
    "The state of this Thing was written by a newer devid (version 4 of its shape, this one knows 3); upgrade @devid/pulumi.";
  expect(() => lifecycle.diff(newer, { title: "x" })).toThrow(message);
  const steps = [
    lifecycle.read(client, "1", newer),
    lifecycle.update(client, "1", newer, { title: "x" }),
    lifecycle.delete(client, "1", newer),
  ];
  for (const step of steps) await expect(step).rejects.toThrow(message);
  expect(seen).toEqual([]);
});

describe("a value that the service shows once", () => {
  const last = { title: "x", code: "c0de", schemaVersion: 3 };

  it("stays in state when later answers lack it", async () => {
    const { lifecycle } = thing({ title: "x" });
    const read = await lifecycle.read(client, "1", last);
    expect(read?.state).toMatchObject({ code: "c0de" });
    expect(read?.inputs).toEqual({ title: "x" });
    const updated = await lifecycle.update(client, "1", last, { title: "y" });
    expect(updated).toMatchObject({ code: "c0de", title: "y" });
  });

  it("gives way to one that the service shows again", async () => {
    const { lifecycle } = thing({ title: "x", code: "other" });
    const read = await lifecycle.read(client, "1", last);
    expect(read?.state).toMatchObject({ code: "other" });
  });

  it("is absent after an import", async () => {
    const { lifecycle } = thing({ title: "x", size: 5 });
    const read = await lifecycle.read(client, "1", {});
    expect(read?.state).toEqual({ title: "x", size: 5, schemaVersion: 3 });
  });
});

describe("a field that is managed if it is set", () => {
  it("is no part of the state where the program leaves it to the service", async () => {
    const { lifecycle } = thing({ title: "x", size: 5 });
    const { state } = await lifecycle.create(client, { title: "x" });
    expect(state).not.toHaveProperty("size");
    const read = await lifecycle.read(client, "1", state);
    expect(read?.state).not.toHaveProperty("size");
    expect(lifecycle.diff(read?.state ?? {}, { title: "x" }).changes).toBe(
      false,
    );
  });

  it("drifts like any other where the program sets it", async () => {
    const { lifecycle } = thing({ title: "x", size: 5 });
    const declared = { title: "x", size: 4 };
    const { state } = await lifecycle.create(client, declared);
    expect(lifecycle.diff(state, declared).changes).toBe(false);
    const read = await lifecycle.read(client, "1", state);
    expect(read?.state).toMatchObject({ size: 5 });
    expect(lifecycle.diff(read?.state ?? {}, declared).changes).toBe(true);
  });
});

describe("a creation that was done in part", () => {
  it("leaves a whole state behind, of what the service has", async () => {
    const definition = defineResource({
      kind: "Thing",
      description: "A thing.",
      schemaVersion: 3,
      inputs,
      outputs,
      create: () =>
        Promise.reject(
          new IncompleteError(
            "1",
            { title: "made", size: 5, seenAt: undefined },
            new Error(`The key a-management-key was refused.`),
          ),
        ),
      read: () => Promise.resolve(undefined),
      update: () => Promise.resolve({}),
      delete: () => Promise.resolve(),
    });
    const error: unknown = await new Lifecycle(
      definition as unknown as ResourceDefinition,
      tell,
    )
      .create(client, { title: "declared" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "IncompleteError",
      id: "1",
      message: "The key [redacted] was refused.",
    });
    expect((error as IncompleteError).outputs).toStrictEqual({
      title: "made",
      schemaVersion: 3,
    });
  });
});

it("an error says no key, neither in its message nor in its stack", async () => {
  const refused = new Error("The key a-management-key was refused.");
  const { definition } = thing({});
  const broken: ResourceDefinition = {
    ...(definition as unknown as ResourceDefinition),
    read: () => Promise.reject(refused),
  };
  const error: unknown = await new Lifecycle(broken, tell)
    .read(client, "1", { title: "x", schemaVersion: 3 })
    .catch((thrown: unknown) => thrown);
  const { message, stack } = error as Error;
  expect(message).toBe("The key [redacted] was refused.");
  expect(stack).toContain("The key [redacted] was refused.");
  expect(stack).not.toContain("a-management-key");
});
