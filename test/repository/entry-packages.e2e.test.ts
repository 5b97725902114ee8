import { expect, it } from "vitest";
import { loadOf, PUBLIC_ENTRIES } from "../helpers/public-entries";
import { PUBLISHED } from "../helpers/published";

const REPORTS = ["string-width", "zod"];
const RULE_FILES = [...REPORTS, "yaml"];

/**
 * The third-party packages that a process loads with each public entry. Zod alone has
 * 95 files, YAML 72. An entry of `@devid/pulumi` with an empty list is bundled, or
 * loads packages with its first call.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@devid/sdk": ["zod"],
  "@devid/sdk/errors": [],
  "@devid/sdk/sealed-results": ["zod"],
  "@devid/sdk/webhooks": ["zod"],
  "@devid/sdk/wire": ["zod"],
  "@devid/sdk/wire/events": ["zod"],
  "@devid/sdk/wire/filtering-rules": ["zod"],
  "@devid/rules": RULE_FILES,
  "@devid/rules/language": [],
  "@devid/rules/internals": REPORTS,
  "@devid/review": RULE_FILES,
  "@devid/review/internals": RULE_FILES,
  "@devid/review/replay": RULE_FILES,
  "@devid/warehouse": RULE_FILES,
  "@devid/warehouse/sql": RULE_FILES,
  "@devid/service": [
    "@photostructure/sqlite",
    "bowser",
    "fastify",
    "pino",
    "zod",
  ],
  "@devid/pulumi": [],
  "@devid/pulumi/definitions": RULE_FILES,
  "@devid/pulumi/plugin": [],
  "@devid/pulumi/provider": [],
  "@devid/pulumi/state": RULE_FILES,
  "@devid/clone": RULE_FILES,
  "@devid/policy/define": RULE_FILES,
  "@devid/policy/policies": RULE_FILES,
  "@devid/policy/testing": [...RULE_FILES, "@pulumi/policy"],
};

it("every public entry has a row, and no other entry has one", () => {
  const names = PUBLIC_ENTRIES.map(({ name }) => name);
  expect(Object.keys(PACKAGES).sort()).toEqual([...names].sort());
});

const named = new Set(
  PUBLISHED.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {})),
);

it.concurrent.each(PUBLIC_ENTRIES)(
  "$name loads only the packages that it needs",
  async (entry) => {
    const { packages } = await loadOf(entry);
    const ofOurs = packages.filter((name) => named.has(name));
    expect(ofOurs).toEqual([...(PACKAGES[entry.name] ?? [])].sort());
  },
  // All entries are loaded at once, each in its own process.
  60_000,
);
