import { dirname, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  arrowsBetween,
  circlesIn,
  PACKAGES,
  sourcesOf,
} from "../helpers/sources";
import { textOf } from "../helpers/repository";

/**
 * Names that two things may share: a wire schema and its type, and the text of a
 * generated class.
 */
const ONE_THING_TWICE = [
  ...["Violation", "LegacyEvent", "FilteringRulesTestResult"],
  "ProviderArgs",
];

describe.each(PACKAGES)("%s", (name) => {
  const sources = sourcesOf(name);

  it("has no files that import each other in a circle, not even for types", () => {
    expect(circlesIn(arrowsBetween(sources))).toEqual([]);
  });

  it("has no top folders that import each other in a circle, with the files beside them", () => {
    const top = (path: string) =>
      relative(`${name}/src`, path).split("/")[0] ?? "";
    const arrows = arrowsBetween(sources, top);
    expect(arrows.size).toBeGreaterThan(0);
    expect(circlesIn(arrows)).toEqual([]);
  });

  it("has no two folders that import each other", () => {
    // The root of a package has its index and files that all its folders may use.
    const arrows = arrowsBetween(sources, dirname);
    const mutual = [...arrows].flatMap(([from, imported]) =>
      [...imported]
        .filter((to) => from < to && arrows.get(to)?.has(from))
        .filter((to) => ![from, to].includes(`${name}/src`))
        .map((to) => `${from} <-> ${to}`),
    );
    expect(mutual).toEqual([]);
  });

  it("uses each name for one thing", () => {
    // A class for programs and a data source for programs have the name of their
    // definition, also for programs over the plugin. The agent's script has its own
    // `start`.
    const own = sources.filter(
      (path) =>
        !/^provider\/src\/(adapters\/dynamic|program)\/|^provider\/src\/plugin\.ts$|^service\/agent\/script\.mts$/.test(
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

/** Names that a file declares for others, without the names that it re-exports. */
function namesExportedBy(path: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...textOf(path).matchAll(declared)].map(([, name = ""]) => name);
}
