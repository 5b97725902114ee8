import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { PUBLISHED } from "./published";
import { ROOT, textOf } from "./repository";

/** Folders of the packages that the house rules apply to. */
export const PACKAGES = [
  ...PUBLISHED.map(({ folder }) => folder),
  "tools/engine",
  "tools/demo",
  "tools/warehouse",
];

/** Every file that git does not ignore, relative to the repository. */
export const FILES: readonly string[] = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  { cwd: ROOT, encoding: "utf8" },
)
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));

/** The TypeScript sources of a package. */
export const sourcesOf = (folder: string): string[] =>
  FILES.filter((path) => path.startsWith(`${folder}/src/`)).filter((path) =>
    /(?<!\.d)\.m?ts$/.test(path),
  );

/** The import names of a source, also for types. */
export const importsOf = (path: string): string[] =>
  // Code in a text, like that of a program, is in backquotes.
  [
    ...textOf(path)
      .replaceAll(/`[^`]*`/g, "")
      .matchAll(/\b(?:from|import\(|require\(|import)\s*"([^"]+)"/g),
  ].map(([, name = ""]) => name);

/** The sources of the same package that a source imports. */
export function importedBy(path: string): string[] {
  return importsOf(path)
    .filter((name) => name.startsWith("."))
    .flatMap((name) => {
      const target = join(dirname(path), name.replace(/\.m?js$/, ""));
      const forms = [`${target}.ts`, `${target}.mts`, `${target}/index.ts`];
      return forms.filter((form) => FILES.includes(form)).slice(0, 1);
    });
}

/** The places that each place imports. A place is a file, or what contains it, such as its folder. */
export function arrowsBetween(
  files: readonly string[],
  placeOf: (file: string) => string = (file) => file,
): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of files) {
    const from = placeOf(file);
    const to = arrows.get(from) ?? new Set();
    arrows.set(from, to);
    for (const imported of importedBy(file)) {
      const other = placeOf(imported);
      // Files of one folder may import each other, but no file imports itself.
      if (other !== from || imported === file) to.add(other);
    }
  }
  return arrows;
}

/** Groups of places that import each other in a circle, each sorted. */
export function circlesIn(
  arrows: ReturnType<typeof arrowsBetween>,
): string[][] {
  const reachedFrom = (place: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(arrows.get(place) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      if (!seen.has(next)) {
        seen.add(next);
        open.push(...(arrows.get(next) ?? []));
      }
    return seen;
  };
  const reached = new Map(
    [...arrows.keys()].map((place) => [place, reachedFrom(place)]),
  );
  const circles = [...reached]
    .filter(([place, seen]) => seen.has(place))
    .map(([place, seen]) =>
      [...seen].filter((other) => reached.get(other)?.has(place)).sort(),
    );
  return [...new Map(circles.map((one) => [one.join(), one])).values()];
}
