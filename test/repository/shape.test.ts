import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import {
  importCircles,
  importedBy,
  isGenerated,
  median,
  PACKAGES,
  sourcesOf,
  textOf,
} from "./sources";

/** A wire schema and the type of what a call answers of it; the text of a class that is generated. */
const ONE_THING_TWICE = [
  ...["Violation", "LegacyEvent", "FilteringRulesTestResult"],
  "ProviderArgs",
];

/** Files of a folder that can be taken in at once. */
const FOLDER = 17;

describe.each(PACKAGES)("%s", (name) => {
  const sources = sourcesOf(name);

  it("has no files that import each other in a circle, for a type neither", () => {
    expect(importCircles(sources)).toEqual([]);
  });

  it("has no folders that import each other", () => {
    // At the root of a package stands what all its folders may use, and its index.
    const folders = new Map<string, Set<string>>();
    for (const path of sources)
      for (const imported of importedBy(path)) {
        const [from, to] = [dirname(path), dirname(imported)];
        if (from === to || [from, to].includes(`${name}/src`)) continue;
        folders.set(from, (folders.get(from) ?? new Set()).add(to));
      }
    const mutual = [...folders].flatMap(([from, imported]) =>
      [...imported]
        .filter((to) => from < to && folders.get(to)?.has(from))
        .map((to) => `${from} <-> ${to}`),
    );
    expect(mutual).toEqual([]);
  });

  it(`has folders of at most ${FOLDER} files`, () => {
    const counts = new Map<string, number>();
    for (const folder of sources.map(dirname))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count > FOLDER);
    expect(full).toEqual([]);
  });

  it("gives no name to two things", () => {
    // A class for programs and a data source for them are named like the
    // definition that they are made from, those over the plugin like the others;
    // the agent's script offers its `start`.
    const own = sources.filter(
      (path) =>
        !/^provider\/src\/(adapters\/dynamic|program)\/|^provider\/src\/plugin\.ts$|^agent\/src\/script\.mts$/.test(
          path,
        ),
    );
    const places = new Map<string, Set<string>>();
    for (const path of own)
      for (const exported of namesExportedBy(path))
        places.set(exported, (places.get(exported) ?? new Set()).add(path));
    const twice = [...places]
      .filter(([exported, { size }]) => {
        return size > 1 && !ONE_THING_TWICE.includes(exported);
      })
      .map(([exported, paths]) => [exported, ...paths]);
    expect(twice).toEqual([]);
  });
});

it.each(["sdk", "rules", "review", "provider", "clone", "service", "cli"])(
  "the middle file of %s has 60 to 150 lines",
  (name) => {
    const lengths = sourcesOf(name)
      .filter((path) => !isGenerated(path))
      .map((path) => textOf(path).split("\n").length - 1);
    const middle = median(lengths);
    expect(middle).toBeLessThanOrEqual(150);
    expect(middle).toBeGreaterThanOrEqual(60);
  },
);

it.each([
  ["sdk", 6],
  ["rules", 3],
])("%s has at most %d public entries", (name, most) => {
  const { exports } = JSON.parse(textOf(`${name}/package.json`)) as {
    exports: object;
  };
  const entries = Object.keys(exports);
  expect(entries.length, entries.join(" ")).toBeLessThanOrEqual(most);
});

/** Names that a file declares for others; not what it passes on, which is one thing under one name. */
function namesExportedBy(path: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...textOf(path).matchAll(declared)].map(([, name = ""]) => name);
}
