import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type {
  DeclaredResource,
  DeclaredWorkspace,
} from "../../../../clone/src/declare/declare-workspace";
import {
  DeclaredRules,
  ObjectReference,
  type DeclaredValue,
} from "../../../../clone/src/declare/declared-value";
import { cloneKinds } from "../../../../clone/src/read/clone-kinds";
import { yamlProgram } from "../../../../clone/src/write/program/yaml-program";

interface Program {
  readonly variables?: Record<string, unknown>;
  readonly resources: Record<
    string,
    {
      readonly type: string;
      readonly name?: string;
      readonly properties: Record<string, unknown>;
    }
  >;
}

/** The text of a program that declares these resources. */
function pulumiYaml(
  resources: readonly DeclaredResource[],
  lookedUp: DeclaredWorkspace["lookedUp"] = [],
): string {
  const files = yamlProgram(
    { resources, lookedUp, ruleSets: [], outputs: [], leftOut: [] },
    { project: "shop", description: "The shop." },
    { kinds: cloneKinds() },
  );
  return files.get("Pulumi.yaml") ?? "";
}

const declared = (
  kind: string,
  name: string,
  args: Record<string, DeclaredValue> = {},
): DeclaredResource => ({
  ...{ kind, name, identifier: name, args, id: name, title: name },
  ...{ inputs: {}, state: {}, dependencies: {}, secretOutputs: [] },
});

/** The value of a text for Pulumi: `$$` is `$`, and a remaining `${` begins a reference. */
function read(text: unknown): string {
  expect(typeof text).toBe("string");
  return String(text).replaceAll(/\$\$|\$\{/g, (found) => {
    expect(found).toBe("$$");
    return "$";
  });
}

// Pulumi's library reads YAML 1.2 with some forms of 1.1.
const VERSIONS = ["1.1", "1.2"] as const;

const AWKWARD = [
  ...["", " ", "yes", "no", "on", "y", "true", "null", "~", "=", "<<", "..."],
  ...["1e3", "1_000", "0x1F", "0o17", "017", "0b1", ".inf", ".NaN", "+1", "-"],
  ...["12:30:45", "2001-01-01", "2001-01-01T00:00:00Z", "1.5", "- a", "--- a"],
  ...["a: b", "a:", "#a", "a #b", "!a", "*a", "&a", "%a", "@a", "`a", "? a"],
  ...["| a", "> a", "{a: 1}", "[a]", '"a', "'a", "a'b\"c", "\\n", "a\\"],
  ...["${a}", "$${a}", "$$", "$", "a$", "$5", "${", "${a.id}", "$$$${"],
  ...["a\nb", "a\n", "\n", "\na", "  a\nb", "a \n b", "a\r\nb", "a\tb", "\ta"],
  ...["🛒", "👩‍👧", "a\u202eb", "a\u200bb", "\u{e0041}", "a\u2028b", "\u0007\n"],
];

const HIDDEN = new Set([..."\u202e\u200b\u2028\u{e0041}\u0007\r\t"]);

it("writes texts that Pulumi reads unchanged, and that hide nothing", () => {
  const text = fc.oneof(
    fc.constantFrom(...AWKWARD),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom("$", "{", "}", "\n", " ", "#", ":") }),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
      const rules = texts.map((name) => ({
        ...{ name, expression: name, action: "deny", status: "enabled" },
      }));
      const set = new DeclaredRules(
        rules as never,
        "rulesFile",
        "rules/a.yaml",
      );
      const written = pulumiYaml([
        declared("ApiKey", "key", { name: texts[0] ?? "", list: texts }),
        declared("FilteringRuleSet", "rules", { rules: set }),
      ]);
      expect([...written].filter((one) => HIDDEN.has(one))).toEqual([]);
      for (const version of VERSIONS) {
        const { resources } = parse(written, { version }) as Program;
        const { name, list } = resources.key?.properties ?? {};
        expect(read(name)).toBe(texts[0]);
        expect((list as unknown[]).map(read)).toEqual(texts);
        const found = resources["rules-rules"]?.properties.rules as {
          name: string;
          expression: string;
        }[];
        expect(found.map((rule) => read(rule.name))).toEqual(texts);
        expect(found.map((rule) => read(rule.expression))).toEqual(texts);
      }
    }),
  );
});

it("keeps the types of numbers and booleans", () => {
  const args = { rateLimit: 1e21, limit: 2.5, verify: true, ids: [1, "1"] };
  const written = pulumiYaml([declared("ApiKey", "key", args)]);
  for (const version of VERSIONS) {
    const { resources } = parse(written, { version }) as Program;
    expect(resources.key?.properties).toEqual(args);
  }
});

const reference = (kind: string, name: string) =>
  new ObjectReference(kind, { name, identifier: name });

it("gives every resource and variable a unique name, and every resource the name that other languages give it", () => {
  const staging = reference("Environment", "staging");
  const fallback = reference("Environment", "default");
  const { resources, variables } = parse(
    pulumiYaml(
      [
        declared("Environment", "staging"),
        declared("ApiKey", "staging", { environment: staging }),
        declared("ApiKey", "default-environment", { environment: fallback }),
        declared("ApiKey", "staging-key"),
        declared("ApiKey", "pulumi"),
        declared("ApiKey", "1e3"),
        declared("Webhook", "1e3"),
        declared("EncryptionKey", "staging", { environment: staging }),
        declared("FilteringRuleSet", "staging", { environment: staging }),
      ],
      [{ ...fallback.name, isDefault: true, title: "Default" }],
    ),
  ) as Program;
  const named = Object.entries(resources).map(([key, one]) => [
    key,
    `${one.type} ${one.name ?? key}`,
    one.properties?.environment,
  ]);
  expect(named).toEqual([
    ["staging", "devid:Environment staging", undefined],
    ["staging-api-key", "devid:ApiKey staging", "${staging.id}"],
    [
      "default-environment",
      "devid:ApiKey default-environment",
      "${default-environment-2}",
    ],
    ["staging-key", "devid:ApiKey staging-key", undefined],
    ["pulumi-api-key", "devid:ApiKey pulumi", undefined],
    ["1e3", "devid:ApiKey 1e3", undefined],
    ["1e3-webhook", "devid:Webhook 1e3", undefined],
    ["staging-key-2", "devid:EncryptionKey staging", "${staging.id}"],
    ["staging-rules", "devid:FilteringRuleSet staging", "${staging.id}"],
  ]);
  expect(Object.keys(variables ?? {})).toEqual(["default-environment-2"]);
});

it("looks up an undeclared environment", () => {
  const written = pulumiYaml(
    [],
    [{ name: "a", identifier: "a", isDefault: false, title: "${a}" }],
  );
  const { variables } = parse(written) as Program;
  expect(variables).toEqual({
    "a-environment": {
      "fn::invoke": {
        function: "devid:getEnvironment",
        arguments: { name: "$${a}" },
        return: "id",
      },
    },
  });
});
