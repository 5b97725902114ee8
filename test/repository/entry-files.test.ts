import { expect, it } from "vitest";
import { loadOf, PUBLIC_ENTRIES } from "../helpers/public-entries";

/**
 * The most files that a process loads with each public entry. Zod alone is 95
 * files, YAML 72; a file takes about a third of a millisecond. The provider's
 * number is that of its bundle (`npm run prepare`).
 */
const MOST_FILES: Readonly<Record<string, number>> = {
  "@devid/sdk": 36,
  "@devid/sdk/errors": 5,
  "@devid/sdk/sealed-results": 102,
  "@devid/sdk/webhooks": 4,
  "@devid/sdk/wire": 105,
  "@devid/sdk/wire/events": 103,
  "@devid/rules": 307,
  "@devid/rules/language": 67,
  "@devid/rules/replay": 226,
  "@devid/rules/review": 322,
  "@devid/service": 431,
  "@devid/pulumi": 31,
  "@devid/pulumi/clone": 389,
  "@devid/pulumi/plugin": 30,
  "@devid/pulumi/provider": 22,
  "@devid/pulumi/settings": 350,
  "@devid/pulumi/state": 325,
  "@devid/policy/policies": 366,
};

it("every public entry has its row, and no other", () => {
  const names = PUBLIC_ENTRIES.map(({ name }) => name);
  expect(Object.keys(MOST_FILES).sort()).toEqual([...names].sort());
});

it.concurrent.each(PUBLIC_ENTRIES)(
  "$name loads no more files than it needs",
  async (entry) => {
    const { files } = await loadOf(entry);
    expect(files).toBeLessThanOrEqual(MOST_FILES[entry.name] ?? 0);
  },
);
