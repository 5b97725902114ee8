import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../provider/src/definition/value";
import type { Kind, Properties } from "../../helpers/dynamic-host";
import {
  CREATE_ONLY,
  FULL_INPUTS,
  IMMUTABLE,
  KINDS,
  MANAGED_IF_SET,
  OTHER_INPUTS,
} from "../full-inputs";
import { lifecycleOf } from "../lifecycle-of";
import { silentClient } from "../local-client";

/** The least that a program can give. */
const LEAST: Readonly<Record<Kind, Properties>> = {
  ApiKey: { name: "Shop", type: "public" },
  EncryptionKey: {},
  Environment: { name: "Staging" },
  FilteringRuleSet: { rules: FULL_INPUTS.FilteringRuleSet.rules },
  Webhook: { url: "https://shop.example/hook" },
};
const none = { changes: false, replaces: [] };

describe.each(KINDS)("the difference between %s", (kind) => {
  const lifecycle = lifecycleOf(kind);
  const computed = {
    verified: true,
    replacedLegacy: "wh_legacy",
    createdAt: "2026-01-01",
    schemaVersion: 1,
  };
  const checked = (program: Properties) => {
    const { inputs, failures } = lifecycle.check(silentClient(), program);
    expect(failures).toEqual([]);
    return inputs;
  };
  const full = checked(FULL_INPUTS[kind]);
  const replacing = (name: string) =>
    CREATE_ONLY[kind].includes(name)
      ? none
      : {
          changes: true,
          replaces: IMMUTABLE[kind].filter((immutable) => immutable === name),
        };

  it("and itself is none", () => {
    expect(lifecycle.diff({ ...full, ...computed }, full)).toEqual(none);
    const least = checked(LEAST[kind]);
    expect(lifecycle.diff({ ...least, ...computed }, least)).toEqual(none);
  });

  it("and a state that lacks what is a default is none", () => {
    const least = checked(LEAST[kind]);
    const given = Object.keys(LEAST[kind]);
    const isGiven = ([name]: [string, unknown]) => given.includes(name);
    const state = {
      ...Object.fromEntries(Object.entries(least).filter(isGiven)),
      ...computed,
    };
    expect(lifecycle.diff(state, least)).toEqual(none);
  });

  it.each(Object.keys(FULL_INPUTS[kind]))("another %s is seen", (name) => {
    const state = { ...full, ...computed };
    const other = checked({ ...OTHER_INPUTS[kind] })[name];
    expect(lifecycle.diff(state, { ...full, [name]: other })).toMatchObject(
      replacing(name),
    );
    const { [name]: _, ...without } = state as Properties;
    expect(lifecycle.diff(without, full)).toEqual(replacing(name));
  });

  it.each(Object.keys(FULL_INPUTS[kind]))(
    "a %s that is left out is seen, unless the service chooses it then",
    (name) => {
      const state = { ...full, ...computed };
      const { [name]: _, ...without } = full;
      const isKept = MANAGED_IF_SET[kind].includes(name);
      expect(lifecycle.diff(state, without)).toEqual(
        isKept ? none : replacing(name),
      );
    },
  );

  it.each(Object.keys(FULL_INPUTS[kind]))("an unknown %s is seen", (name) => {
    const state = { ...full, ...computed };
    const unknown = { ...full, [name]: UNKNOWN };
    expect(lifecycle.diff(state, unknown)).toEqual(replacing(name));
  });
});

describe("the difference between rule sets", () => {
  const lifecycle = lifecycleOf("FilteringRuleSet");
  const a = {
    name: "a",
    expression: "true",
    action: "deny",
    status: "enabled",
    denyWith: "Forbidden",
  };
  const { name, ...content } = a;
  const record = { [name]: { ...content, after: "" } };
  const switches = {
    takeOver: false,
    allowEmpty: false,
    maxDeletedPercent: 50,
    onDrift: "fail",
  };

  it.each([
    ["an array and a record", [a], record],
    ["a record and an array", record, [a]],
    ["arrays", [a], [a]],
  ])("is none between %s of the same rules", (_, state, inputs) => {
    const olds = { ...switches, rules: state };
    expect(lifecycle.diff(olds, { ...switches, rules: inputs })).toEqual(none);
  });

  it("is seen in a rule of which a part is unknown", () => {
    const olds = { ...switches, rules: record };
    const rules = [{ ...a, expression: UNKNOWN }];
    expect(lifecycle.diff(olds, { ...switches, rules })).toEqual({
      changes: true,
      replaces: [],
      summary: expect.stringMatching(
        /\n~ {3}1 a deny {2}expression edited\n1 change/,
      ) as string,
    });
  });
});

describe("a webhook that is to be verified", () => {
  it("has work to do until it is", () => {
    const { inputs } = lifecycleOf("Webhook").check(
      silentClient(),
      FULL_INPUTS.Webhook,
    );
    const diff = (verified: boolean | undefined, verify: boolean) =>
      lifecycleOf("Webhook").diff(
        { ...inputs, verify, verified, replacedLegacy: "wh_legacy" },
        { ...inputs, verify },
        "wh_9",
      );
    const pending = {
      changes: true,
      replaces: [],
      summary: "Webhook wh_9: still to be verified.",
    };
    expect(diff(false, true)).toEqual(pending);
    expect(diff(undefined, true)).toEqual(pending);
    expect(diff(true, true)).toEqual(none);
    expect(diff(false, false)).toEqual(none);
  });
});

describe("a webhook that is to replace a legacy one", () => {
  it("has work to do until that one is gone", () => {
    const { inputs } = lifecycleOf("Webhook").check(silentClient(), {
      url: "https://shop.example/hook",
      replacesLegacy: "wh_1",
    });
    const diff = (replacedLegacy?: string) =>
      lifecycleOf("Webhook").diff({ ...inputs, replacedLegacy }, inputs);
    expect(diff(undefined)).toMatchObject({ changes: true, replaces: [] });
    expect(diff("wh_0")).toMatchObject({ changes: true, replaces: [] });
    expect(diff("wh_1")).toEqual(none);
  });
});
