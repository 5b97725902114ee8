import { POLICIES } from "@devid/policy/policies";
import { describe, expect, it } from "vitest";
import { textOf } from "../helpers/repository";

const PAGE = textOf("docs/policies.md");

const sections = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((text) => [text.split("\n")[0] ?? "", text] as const),
);

it("each policy has its own name", () => {
  const names = POLICIES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.at(-1)).toBe("not-checked");
});

describe.each(POLICIES.map((policy) => [policy.name, policy] as const))(
  "%s",
  (name, policy) => {
    const section = sections.get(name) ?? "";
    const settings = Object.entries(policy.configSchema?.properties ?? {});

    it("has a section", () => {
      expect(section).not.toBe("");
    });

    it("documents exactly its settings", () => {
      const documented = [...section.matchAll(/^- `(\w+)` \(/gm)].map(
        ([, s]) => s,
      );
      expect(documented).toEqual(settings.map(([setting]) => setting));
    });

    it("documents the defaults", () => {
      for (const [setting, { default: value }] of settings) {
        if (setting === "pattern") continue;
        const shown = typeof value === "string" ? value : JSON.stringify(value);
        const said = value === undefined ? "none" : `\`${shown}\``;
        expect(section).toContain(`\n- \`${setting}\` (${said}): `);
      }
    });

    it("has a description that says what must be true, because the engine prints it with a violation", () => {
      expect(policy.description).toMatch(
        name === "not-checked" ? /could not check\.$/ : /\bmust\b.*\.$/,
      );
    });

    it("has a description for each setting, which editors and the engine show", () => {
      for (const [setting, schema] of settings)
        expect([setting, schema.description]).toEqual([
          setting,
          expect.stringMatching(/\.$|`.$/),
        ]);
    });
  },
);
