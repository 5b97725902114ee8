import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

/** The rooms of a package, each a folder or a file below its sources, and the rooms that each may import. */
export type Rooms = Readonly<Record<string, readonly string[]>>;

/**
 * Tests that every source of a package is in a room, and that rooms import only what
 * they may. `entries` are the public entries, which may import every room.
 */
export function roomsAreKept(
  sources: string,
  rooms: Rooms,
  entries: readonly string[],
): void {
  const root = resolve(__dirname, "../..", sources);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !entries.includes(path),
  );
  const roomOf = (path: string) =>
    Object.keys(rooms).find(
      (room) => path === room || path.startsWith(`${room}/`),
    );

  it(`every file of ${sources} is in a room`, () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => roomOf(path) === undefined)).toEqual([]);
  });

  it.each(Object.entries(rooms))(
    "%s imports only its rooms",
    (room, allowed) => {
      const strangers = files
        .filter((path) => roomOf(path) === room)
        .flatMap((path) =>
          importsOf(root, path)
            .filter((target) => {
              const other = roomOf(target) ?? target;
              return other !== room && !allowed.includes(other);
            })
            .map((target) => `${path} imports ${target}`),
        );
      expect(strangers).toEqual([]);
    },
  );
}

/** The files that a file imports, by their paths in the sources. */
function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const names = text.matchAll(
    /(?:^(?:import|export)\b[^;"]*|\bimport\()"(\.[^"]+?)(?:\.js)?"/gm,
  );
  return [...names].flatMap(([, name = ""]) => {
    const target = resolve(root, path, "..", name);
    // Imports within generated code are texts here, and not imports of this file.
    return [`${target}.ts`, `${target}/index.ts`]
      .filter((file) => existsSync(file))
      .map((file) => relative(root, file));
  });
}
