import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PUBLISHED } from "../helpers/published";

const ROOT = resolve(__dirname, "../..");

/** Folders of the packages whose sources the house rules are about. */
export const PACKAGES = [
  ...PUBLISHED.map(({ folder }) => folder),
  "tools/engine",
  "tools/demo",
];

/** Every file that is not ignored, relative to the repository. */
export const FILES: readonly string[] = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  { cwd: ROOT, encoding: "utf8" },
)
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(ROOT, path)));

/** The text of a file, named relative to the repository. */
export const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The TypeScript sources of a package. */
export const sourcesOf = (folder: string): string[] =>
  FILES.filter((path) => path.startsWith(`${folder}/src/`)).filter((path) =>
    /(?<!\.d)\.m?ts$/.test(path),
  );

/** Whether the generator wrote a file, so that no house rule of size is about it. */
export const isGenerated = (path: string) =>
  /^\/\/ Generated\b/m.test(textOf(path).slice(0, 500));

/** What a source imports: names as they are written, those of types, too. */
export const importsOf = (path: string): string[] =>
  // A text that is only written down, like a program's, stands in backquotes.
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

/** The circles among files that import each other: each as the files that reach each other, sorted. */
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

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
