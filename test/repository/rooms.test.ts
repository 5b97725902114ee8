import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(__dirname, "../..");

/** Which packages of ours each room may import: the arrows of ARCHITECTURE.md. */
const ROOMS: Record<string, readonly string[]> = {
  sdk: [],
  agent: [],
  rules: ["@devid/sdk"],
  warehouse: ["@devid/sdk", "@devid/rules"],
  provider: ["@devid/sdk", "@devid/rules"],
  clone: ["@devid/sdk", "@devid/rules", "@devid/pulumi"],
  service: ["@devid/sdk", "@devid/rules", "@devid/agent"],
  cli: [
    "@devid/sdk",
    "@devid/rules",
    "@devid/warehouse",
    "@devid/pulumi",
    "@devid/clone",
    "@devid/service",
  ],
  policy: ["@devid/sdk", "@devid/rules", "@devid/warehouse", "@devid/pulumi"],
  "tools/engine": [],
  "tools/warehouse": ["@devid/engine"],
  "tools/demo": ["@devid/engine", "@devid/sdk", "@devid/service"],
  "examples/gitops": ["@devid/pulumi"],
  "examples/cloned": ["@devid/pulumi"],
  "examples/own-policies": ["@devid/policy"],
  "examples/policed": ["@devid/pulumi"],
  "examples/quickstart": ["@devid/pulumi"],
  "examples/regions": ["@devid/pulumi"],
  "examples/rotation": ["@devid/pulumi"],
};

const sources = (room: string) =>
  readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(dist|node_modules)\//.test(path));

/** Names in import positions; a text that is only written down, like the provider text, stands in backquotes. */
const importsOf = (path: string) =>
  [
    ...readFileSync(path, "utf8")
      .replaceAll(/`[^`]*`/g, "")
      .matchAll(/\b(?:from|import\(|require\()\s*"([^"]+)"/g),
  ].map(([, name]) => name ?? "");

it.each(Object.entries(ROOMS))(
  "%s imports only what it may",
  (room, allowed) => {
    const files = sources(room);
    expect(files.length).toBeGreaterThan(0);
    const strangers = files.flatMap((path) =>
      importsOf(path)
        .filter((name) => name.startsWith("@devid/"))
        .filter(
          (name) =>
            !allowed.some((a) => name === a || name.startsWith(`${a}/`)),
        )
        .map((name) => `${path.slice(ROOT.length + 1)} imports ${name}`),
    );
    expect(strangers).toEqual([]);
  },
);

it.each(Object.keys(ROOMS))(
  "%s reaches no other room by a relative path",
  (room) => {
    const outside = sources(room).flatMap((path) =>
      importsOf(path)
        .filter((name) => name.startsWith("."))
        .filter(
          (name) => !resolve(path, "..", name).startsWith(join(ROOT, room)),
        )
        .map((name) => `${path.slice(ROOT.length + 1)} imports ${name}`),
    );
    expect(outside).toEqual([]);
  },
);

it("sdk, rules, warehouse and service speak for themselves: no Pulumi below the provider", () => {
  const below = ["sdk", "rules", "warehouse", "service"].flatMap(sources);
  const pulumi = below.filter((path) =>
    importsOf(path).some((name) => name.startsWith("@pulumi/")),
  );
  expect(pulumi).toEqual([]);
});
