import { describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests";
import { commandOn } from "../lifecycle-of";

// What the engine's calls reveal about a replacement. A program in TypeScript leaves `adopt` out by itself. A
// program in YAML or Python cannot.

const URN = "urn:pulumi:shop::shop::devid:index:ApiKey::shop";

const workspace = localForTests();

const makeKey = (name: string) =>
  workspace.make("/api-keys", { name, type: "secret" });

/** The keys of the workspace that the test created. */
const keys = async () =>
  (await workspace.list("api-keys"))
    .map(({ id, name }) => ({ id, name }))
    .filter(({ name }) => name !== "Local development");

/** The lifecycle of API keys in one command. */
function command() {
  const { lifecycle, logged } = commandOn(workspace);
  return { lifecycle: lifecycle("ApiKey"), logged };
}

const program = (id: string, more: object = {}) => ({
  name: "Shop",
  type: "secret",
  adopt: { id },
  ...more,
});

/** Adopts an existing key in a command of its own. */
async function adopted() {
  const found = await makeKey("By hand");
  const made = await commandOn(workspace).make(
    "ApiKey",
    program(found.id),
    URN,
  );
  expect(made.id).toBe(found.id);
  return made;
}

describe("a replacement of an adopted key", () => {
  it("caused by its rotation creates a new key, although the program still has adopt", async () => {
    const was = await adopted();
    const theirs = await makeKey("By hand");
    const { lifecycle } = command();
    const news = program(was.id, { rotation: "2" });
    const olds = was.inputs;
    const kept = await lifecycle.check({ urn: URN, news, olds });
    const found = lifecycle.diff({
      urn: URN,
      id: was.id,
      state: was.state,
      news: kept.inputs,
    });
    expect(found.replaces).toEqual(["rotation"]);
    const { inputs, failures } = await lifecycle.check({ urn: URN, news });
    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty("adopt");
    const { id } = await lifecycle.create({ urn: URN, inputs });
    await lifecycle.delete({ urn: URN, id: was.id, state: was.state });
    expect([was.id, theirs.id]).not.toContain(id);
    expect(await keys()).toEqual([
      { id: theirs.id, name: "By hand" },
      { id, name: "Shop" },
    ]);
  });

  it("that deletes the old key first creates a new key", async () => {
    const was = await adopted();
    const { lifecycle } = command();
    const { inputs } = await lifecycle.check({
      urn: URN,
      news: program(was.id),
    });
    const theirs = await makeKey("By hand");
    await lifecycle.delete({ urn: URN, id: was.id, state: was.state });
    const { id } = await lifecycle.create({ urn: URN, inputs });
    expect(id).not.toBe(theirs.id);
  });

  it("that only the engine knows about keeps the key, and says what to do", async () => {
    const was = await adopted();
    const { lifecycle, logged } = command();
    const { inputs } = await lifecycle.check({
      urn: URN,
      news: program(was.id),
    });
    const { id } = await lifecycle.create({ urn: URN, inputs });
    expect(id).toBe(was.id);
    await lifecycle.delete({ urn: URN, id: was.id, state: was.state });
    expect(logged.at(-1)).toEqual({
      severity: "warning",
      text: expect.toSay("adopt/replaced-by-itself", { id }),
      urn: URN,
    });
    expect(await keys()).toEqual([{ id, name: "Shop" }]);
  });
});

it("a key that a refresh reports gone is not adopted again, and the preview lists the others", async () => {
  const was = await adopted();
  await workspace.call("DELETE", `/api-keys/${was.id}`);
  const theirs = await makeKey("By hand");
  const { lifecycle } = command();
  expect(
    await lifecycle.read({ urn: URN, id: was.id, state: was.state }),
  ).toBeUndefined();
  const news = program(was.id);
  const { failures } = await lifecycle.check({ urn: URN, news });
  expect(failures).toHaveLength(1);
  expect(failures[0]?.reason).toContain(`\n  ${theirs.id}, name "By hand"`);
});
