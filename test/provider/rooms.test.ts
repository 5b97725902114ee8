import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(__dirname, "../../provider/src");

/**
 * The rooms of the provider, and the rooms that each of them may import. What a
 * program loads is apart from what the provider's host needs.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  ownership: ["definition"],
  session: ["ownership"],
  definition: ["session"],
  lifecycle: ["definition", "ownership", "session"],
  resources: ["definition", "ownership", "session"],
  preview: ["definition"],
  "registry.ts": ["resources"],
  "kinds.ts": ["resources"],
  functions: ["definition", "session"],
  "adapters/dynamic/host-protocol.ts": ["definition"],
  "adapters/dynamic/host": [
    "adapters/dynamic/host-protocol.ts",
    "adapters/error-limits.ts",
    "definition",
    "lifecycle",
    "session",
  ],
  "program/settings": ["program", "definition", "registry.ts", "session"],
  program: [
    "adapters/dynamic/host-protocol.ts",
    "definition",
    "functions",
    "registry.ts",
  ],
  "adapters/engine-log.ts": ["session"],
  "adapters/error-limits.ts": [],
  "adapters/plugin-settings.ts": ["definition", "lifecycle"],
  "adapters/plugin": [
    "adapters/engine-log.ts",
    "adapters/error-limits.ts",
    "adapters/plugin-settings.ts",
    "components/definitions",
    "definition",
    "functions",
    "kinds.ts",
    "lifecycle",
    "session",
  ],
  "components/definitions": ["definition", "resources"],
  components: ["program", "components/definitions"],
  "clone/read": ["definition", "lifecycle", "registry.ts", "session"],
  "clone/compare": ["clone/read", "definition", "lifecycle"],
  "clone/declare": ["clone/read", "definition", "lifecycle"],
  "clone/drift": [
    "clone/read",
    "clone/recover",
    "definition",
    "lifecycle",
    "preview",
  ],
  "clone/recover": [
    "adapters/plugin-settings.ts",
    "clone/read",
    "definition",
    "lifecycle",
    "preview",
    "session",
  ],
  "clone/sync": [
    "clone/declare",
    "clone/read",
    "clone/recover",
    "clone/write",
    "definition",
    "lifecycle",
    "preview",
  ],
  "clone/write": [
    "program/settings",
    "clone/declare",
    "clone/read",
    "definition",
    "resources",
  ],
  generate: ["adapters/plugin", "definition", "functions", "resources"],
};

/** The public entries, which may import every room. */
const ENTRIES = [
  "index.ts",
  "plugin.ts",
  "provider.ts",
  "state.ts",
  "clone/index.ts",
];

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !ENTRIES.includes(path),
);

const roomOf = (path: string) =>
  Object.keys(ROOMS).find(
    (room) => path === room || path.startsWith(`${room}/`),
  );

/** The files that a file imports, by their paths in the sources. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const names = text.matchAll(
    /(?:^(?:import|export)\b[^;"]*|\bimport\()"(\.[^"]+?)(?:\.js)?"/gm,
  );
  return [...names].flatMap(([, name = ""]) => {
    const target = resolve(ROOT, path, "..", name);
    // The imports in generated code are texts here, and lead nowhere.
    return [`${target}.ts`, `${target}/index.ts`]
      .filter((file) => existsSync(file))
      .map((file) => relative(ROOT, file));
  });
}

it("every file of the provider is in a room", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((path) => roomOf(path) === undefined)).toEqual([]);
});

it.each(Object.entries(ROOMS))("%s imports only its rooms", (room, allowed) => {
  const strangers = files
    .filter((path) => roomOf(path) === room)
    .flatMap((path) =>
      importsOf(path)
        .filter((target) => {
          const other = roomOf(target) ?? target;
          return other !== room && !allowed.includes(other);
        })
        .map((target) => `${path} imports ${target}`),
    );
  expect(strangers).toEqual([]);
});
