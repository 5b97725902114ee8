import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { textOf } from "../helpers/repository";
import { FILES, importedBy, importsOf } from "../helpers/sources";

/** The packages of ours that each room may import: the arrows of ARCHITECTURE.md. */
const ROOMS: Record<string, readonly string[]> = {
  sdk: [],
  rules: ["@devid/sdk"],
  review: ["@devid/sdk", "@devid/rules"],
  warehouse: ["@devid/sdk", "@devid/rules", "@devid/review"],
  provider: ["@devid/sdk", "@devid/rules"],
  clone: ["@devid/sdk", "@devid/rules", "@devid/pulumi"],
  service: ["@devid/sdk", "@devid/rules"],
  cli: [
    "@devid/sdk",
    "@devid/rules",
    "@devid/review",
    "@devid/warehouse",
    "@devid/pulumi",
    "@devid/clone",
    "@devid/service",
  ],
  policy: ["@devid/sdk", "@devid/rules", "@devid/review", "@devid/pulumi"],
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
  FILES.filter((path) => path.startsWith(`${room}/`) && /\.m?ts$/.test(path));

it.each(Object.entries(ROOMS))(
  "%s imports only the allowed packages",
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
        .map((name) => `${path} imports ${name}`),
    );
    expect(strangers).toEqual([]);
  },
);

it.each(Object.keys(ROOMS))(
  "%s imports no other room by a relative path",
  (room) => {
    const outside = sources(room).flatMap((path) =>
      importsOf(path)
        .filter((name) => name.startsWith("."))
        .filter((name) => !join(dirname(path), name).startsWith(room))
        .map((name) => `${path} imports ${name}`),
    );
    expect(outside).toEqual([]);
  },
);

it.each(Object.keys(ROOMS).filter((room) => !room.startsWith("examples/")))(
  "%s declares what it imports, and depends on nothing else",
  (room) => {
    const manifest = JSON.parse(textOf(`${room}/package.json`)) as Readonly<
      Record<string, object | undefined>
    >;
    const { dependencies, optionalDependencies, ...others } = manifest;
    const needed = Object.keys({ ...dependencies, ...optionalDependencies });
    const { peerDependencies, devDependencies } = others;
    const known = Object.keys({ ...peerDependencies, ...devDependencies });
    const imported = sources(`${room}/src`)
      .flatMap((path) => importsOf(path))
      .filter((name) => /^(?!node:)[@\w][\w./-]*$/.test(name))
      .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    const declared = [...needed, ...known];
    expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
    // The bundle of the command line contains the service, whose database it then loads.
    const idle = needed.filter(
      (name) => !imported.includes(name) && !name.startsWith("@types/"),
    );
    expect(idle).toEqual(room === "cli" ? ["@photostructure/sqlite"] : []);
  },
);

it("sdk, rules, review, warehouse and service do not import Pulumi", () => {
  const below = ["sdk", "rules", "review", "warehouse", "service"].flatMap(
    sources,
  );
  const pulumi = below.filter((path) =>
    importsOf(path).some((name) => name.startsWith("@pulumi/")),
  );
  expect(pulumi).toEqual([]);
});

/**
 * The folder of a package's sources that contains a file. A file outside of the folders
 * counts as a folder.
 */
const folderOf = (room: string, path: string) =>
  relative(`${room}/src`, path).split("/")[0] ?? "";

/** The imports between the folders of a package. */
function arrowsIn(room: string): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const path of sources(`${room}/src`)) {
    const from = folderOf(room, path);
    const to = arrows.get(from) ?? new Set();
    arrows.set(from, to);
    for (const imported of importedBy(path)) {
      const other = folderOf(room, imported);
      if (other !== from) to.add(other);
    }
  }
  return arrows;
}

it.each(Object.keys(ROOMS).filter((room) => !room.startsWith("examples/")))(
  "the folders of %s do not import each other in a circle",
  (room) => {
    const left = arrowsIn(room);
    expect(left.size).toBeGreaterThan(0);
    // Repeatedly removes the folders that import none of the remaining folders.
    for (let before = -1; before !== left.size;) {
      before = left.size;
      for (const [folder, others] of left)
        if (![...others].some((other) => left.has(other))) left.delete(folder);
    }
    expect([...left.keys()]).toEqual([]);
  },
);
