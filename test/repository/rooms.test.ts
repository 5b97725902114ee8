import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { textOf } from "../helpers/repository";
import { FILES, importsOf } from "../helpers/sources";

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
