import { relative } from "node:path";
import { expect, it } from "vitest";
import { FILES, importedBy } from "./sources";

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
  const files = FILES.filter((path) => path.startsWith(`${sources}/`))
    .map((path) => relative(sources, path))
    .filter((path) => path.endsWith(".ts") && !entries.includes(path));
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
          importedBy(`${sources}/${path}`)
            .map((target) => relative(sources, target))
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
