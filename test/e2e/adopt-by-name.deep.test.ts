import { expect, it } from "vitest";
import { declared, type Declared } from "../helpers/engine-stack";
import { FormStack } from "../helpers/form-stack";
import { localForTests } from "../helpers/local-for-tests";
import { openForTest } from "../helpers/open-for-tests";
import { FORMS } from "../helpers/program-form";

// docs/recovery.md, "Lost state": a state is lost in the middle of an update, and one update takes
// over what is there.

const workspace = localForTests();

/** 20 objects in two environments: with references, rules and an encryption key. */
const PROGRAM: Declared[] = [
  declared("Environment", "staging", { name: "Staging" }),
  ...Array.from({ length: 10 }, (_, n): Declared =>
    declared("ApiKey", `key${n}`, {
      name: `Key ${n}`,
      type: n % 2 ? "secret" : "public",
      ...(n < 5 && { environment: "$staging.id" }),
    }),
  ),
  ...Array.from({ length: 6 }, (_, n): Declared => ({
    kind: "Webhook",
    as: `hook${n}`,
    args: {
      url: `https://hooks.example/${n}`,
      ...(n < 3 && { environment: "$staging.id" }),
    },
  })),
  declared("EncryptionKey", "sealing", {
    environment: "$staging.id",
    status: "enabled",
  }),
  ...(["staging", "main"] as const).map((place): Declared =>
    declared("FilteringRuleSet", `${place}Rules`, {
      ...(place === "staging" && { environment: "$staging.id" }),
      rules: [
        { name: "ios", expression: "sdk.platform.is_ios", action: "deny" },
      ],
    }),
  ),
];

const objects = async () => {
  const names = [];
  for (const collection of ["environments", "api-keys", "webhooks"])
    for (const { id } of await workspace.list(collection)) names.push(id);
  return names;
};

it.each(FORMS)(
  "a state that is lost in the middle of an update comes back with one update: %s",
  async (form) => {
    const settings = { ...workspace.env, DEVID_REQUESTS_PER_SECOND: "20" };
    const stack = await openForTest(FormStack.open(form, settings));
    const { engine } = stack;
    stack.declare({ resources: PROGRAM });
    const before = await objects();
    await engine.killedUp(
      async () => (await objects()).length > before.length + 8,
    );
    const left = await objects();
    expect(left.length).toBeLessThan(before.length + 17);
    for (const command of [
      "pulumi stack rm test --force --yes --preserve-config",
      "pulumi stack init test",
      "pulumi config set devid:adopt byName --stack test",
    ]) {
      const { code, output } = await engine.shell(command);
      expect(code, output).toBe(0);
    }
    const { said } = await engine.preview();
    expect(said).toContain("exists and will be adopted");
    await engine.up();
    // Nothing was made twice.
    expect((await objects()).length).toBe(before.length + 17);
    expect(await objects()).toEqual(expect.arrayContaining(left));
    const mark = await workspace.mark();
    const clean = await engine.preview();
    expect(Object.keys(clean.changes)).toEqual(["same"]);
    expect(await workspace.requestsSince(mark)).toEqual([]);
  },
);
