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

/** Groups of files that import each other in a circle, each sorted. */
export function importCircles(files: readonly string[]): string[][] {
  const imports = new Map(files.map((file) => [file, importedBy(file)]));
  const reached = new Map(
    files.map((file) => {
      const seen = new Set<string>();
      const open = [...(imports.get(file) ?? [])];
      for (let next = open.pop(); next !== undefined; next = open.pop())
        if (!seen.has(next)) {
          seen.add(next);
          open.push(...(imports.get(next) ?? []));
        }
      return [file, seen] as const;
    }),
  );
  const circles = new Map<string, string[]>();
  for (const file of files) {
    const others = [...(reached.get(file) ?? [])].filter((other) =>
      reached.get(other)?.has(file),
    );
    if (others.length > 0) {
      const circle = [...new Set([file, ...others])].sort();
      circles.set(circle.join(), circle);
    }
  }
  return [...circles.values()];
}
