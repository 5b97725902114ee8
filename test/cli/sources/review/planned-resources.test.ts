import { readPreview, secretSettings } from "@devid/pulumi/state";
import { describe, expect, it } from "vitest";
import { changedOptions } from "../../../../cli/src/sources/review/guards";
import { plannedResources } from "../../../../cli/src/sources/review/planned-resources";
import * as registry from "../../../../provider/src/registry";
import { FORMS, type Form } from "../../../helpers/program-form";
import { previewOutput, UNKNOWN } from "./preview-output";
import { recordedPreview, type Recorded } from "./recorded-preview";

// The previews come from a real engine, in both forms. They show a deployment that changes, deletes and
// replaces resources, and changes options.

const recorded = (form: Form, name: Recorded = "touched") =>
  readPreview(recordedPreview(name, form), "preview.json");

describe.each(FORMS)("a real preview, %s,", (form) => {
  // RotatingApiKey is a class of the TypeScript package alone.
  const hasComponent = form === "dynamic";

  it("has every resource that it touches, with the effects", () => {
    const rows = plannedResources(recorded(form)).map(
      ({ operation, type, name, properties = [], effects = [] }) => [
        `${operation} ${type.replace(/^pulumi:providers:.*/, "Provider")} ${name}`,
        properties.map(
          ({ name, before, after }) => `${name}: ${before} > ${after}`,
        ),
        effects.map(({ risk, text }) => `${risk}: ${text}`),
      ],
    );
    expect(
      Object.fromEntries(rows.map(([key, ...rest]) => [key, rest])),
    ).toMatchObject({
      "update Webhook hook": [
        ['url: "https://shop.example/hook" > "https://evil.example/hook"'],
        [
          "high: `evil.example` receives all events of the workspace from now on, not `shop.example`",
        ],
      ],
      "delete ApiKey secretkey": [
        [
          'name: "Shop" > undefined',
          'status: "enabled" > undefined',
          'type: "secret" > undefined',
        ],
        ["high: servers with this key are refused from now on"],
      ],
      "replace ApiKey pub": [
        ['type: "public" > "secret"'],
        [
          "high: a new key is made, and pages and apps with this key are refused until they have it",
        ],
      ],
      "delete Webhook gone": [
        expect.arrayContaining([
          'url: "https://shop.example/gone" > undefined',
        ]) as unknown,
        ["medium: `shop.example` receives no events from now on"],
      ],
      "create Webhook new": [
        expect.arrayContaining([
          'url: undefined > "https://shop.example/new"',
        ]) as unknown,
        [
          "medium: `shop.example` receives all events of the workspace from now on",
        ],
      ],
      "same Webhook kept": [["retainOnDelete: true > undefined"], []],
      ...(hasComponent && {
        // The keys of a RotatingApiKey are separate resources.
        "create ApiKey server-two": [
          expect.arrayContaining(['name: undefined > "Server two"']) as unknown,
          ["low: a new key, which is accepted from now on"],
        ],
        "delete ApiKey server-one": [
          expect.arrayContaining(['name: "Server one" > undefined']) as unknown,
          ["high: servers with this key are refused from now on"],
        ],
      }),
      "update Provider eup": [
        [
          expect.stringMatching(
            /^requestsPerSecond: undefined > "?3/,
          ) as string,
        ],
        ["medium: changes which workspace its resources are in, or how"],
      ],
    });
    expect(rows).toHaveLength(hasComponent ? 9 : 7);
  });

  it("has changes of a rule set's options, and marks loosened ones", () => {
    const rules = recorded(form).resources.find(({ name }) => name === "rules");
    expect(rules && changedOptions(rules)).toEqual([
      { name: "protect", before: "true", isLoosened: true },
      { name: "retainOnDelete", after: "true", isLoosened: true },
      { name: "ignoreChanges", after: '["rules"]', isLoosened: true },
    ]);
    const eu = recorded(form).resources.find(({ name }) => name === "rules-eu");
    expect(eu && changedOptions(eu)).toEqual([]);
    const moved = recorded(form).resources.find(
      ({ name }) => name === "rules-test",
    );
    expect(moved && changedOptions(moved)).toEqual([
      {
        name: "provider",
        before: '"default"',
        after: '"usp"',
        isLoosened: true,
      },
    ]);
  });

  it("shows no secret", () => {
    for (const name of ["first", "touched"] as const) {
      const text = JSON.stringify(plannedResources(recorded(form, name)));
      expect(text).not.toMatch(/local-(management|secret)/);
    }
  });

  it("can be of a first deployment", () => {
    const rows = plannedResources(recorded(form, "first")).map(
      ({ operation, type, name }) =>
        `${operation} ${type.replace(/^pulumi:providers:.*/, "Provider")} ${name}`,
    );
    expect(rows.sort()).toEqual([
      "create ApiKey pub",
      "create ApiKey secretkey",
      ...(hasComponent ? ["create ApiKey server-one"] : []),
      "create Provider apac",
      "create Provider eup",
      "create Provider usp",
      ...(hasComponent ? ["create RotatingApiKey server"] : []),
      "create Webhook gone",
      "create Webhook hook",
      "create Webhook kept",
    ]);
  });
});

const hook = (more: object, before?: object) =>
  plannedResources(
    readPreview(
      previewOutput({
        op: before ? "update" : "create",
        name: "hook",
        type: "pulumi-nodejs:dynamic/devid:Webhook",
        ...(before && { before: { ...before } }),
        after: { ...more },
      }),
      "preview.json",
    ),
  )[0];

describe("the effect of a change", () => {
  it("is described for every kind except rule sets, which have their own section", () => {
    const kinds = Object.keys(registry).filter(
      (kind) => kind !== "FilteringRuleSet",
    );
    const described = Object.entries(registry).filter(
      ([, { effects }]) => effects,
    );
    expect(described.map(([kind]) => kind).sort()).toEqual(kinds.sort());
  });

  it("is described for an unknown address", () => {
    expect(hook({ url: UNKNOWN }, { url: "https://a.example/" })).toMatchObject(
      {
        properties: [{ name: "url", after: '"known after the update"' }],
        effects: [{ risk: "high" }],
      },
    );
  });

  it("has no markup of a host that looks like the end of code", () => {
    const url = "https://a`**bold**`b.example/";
    const texts = hook({ url })?.effects?.map(({ text }) => text);
    expect(texts).toEqual([
      "`a%60**bold**%60b.example` receives all events of the workspace from now on",
    ]);
  });

  it("is none of an input that the provider keeps when the program leaves it out", () => {
    const [planned] = plannedResources(
      readPreview(
        previewOutput({
          op: "update",
          name: "sealing",
          type: "pulumi-nodejs:dynamic/devid:EncryptionKey",
          before: { status: "enabled", name: "Results" },
          after: { name: "Answers" },
        }),
        "preview.json",
      ),
    );
    expect(planned?.properties?.map(({ name }) => name)).toEqual(["name"]);
    expect(planned?.effects).toBeUndefined();
  });

  it("is described for a provider's key without showing the key", () => {
    const [name = ""] = secretSettings();
    expect(hook({ [name]: "very-secret" })?.properties).toEqual([
      { name, after: '"[secret]"' },
    ]);
  });

  it("is described for a provider with another name, but not for one with only another ID", () => {
    const at = (name: string, id: string) => ({
      type: "x",
      custom: true,
      inputs: {},
      outputs: {},
      propertyDependencies: {},
      provider: `urn:pulumi:p::shop::pulumi:providers:devid::${name}::${id}`,
    });
    const changed = (before: object, after: object) =>
      changedOptions({
        urn: "",
        name: "",
        type: "x",
        operation: "same",
        before,
        after,
      } as never).map(({ name, before, after }) => [name, before, after]);
    expect(changed(at("eu", "1"), at("eu", "2"))).toEqual([]);
    expect(changed(at("default_0_1_0", "1"), at("default_0_2_0", "2"))).toEqual(
      [],
    );
    expect(changed(at("default_0_1_0", "1"), at("eu", "2"))).toEqual([
      ["provider", '"default"', '"eu"'],
    ]);
  });
});
