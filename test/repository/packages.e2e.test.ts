import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import { dirname, join, posix } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script without types.
import * as docs from "../../tools/packages/docs.mjs";
// @ts-expect-error: a script without types.
import * as manifests from "../../tools/packages/manifests.mjs";
// @ts-expect-error: a script without types.
import * as packages from "../../tools/packages/packages.mjs";
import { PUBLISHED } from "../helpers/published";
import { listen } from "../helpers/listen";
import { ROOT, textOf } from "../helpers/repository";

// The packages in their published form, built once for all test processes.

const run = promisify(execFile);
const { completedText } = manifests as {
  completedText: (folder: string) => string;
};
const { packedReadme, packedText } = docs as {
  packedReadme: (folder: string) => string;
  packedText: (page: {
    folder: string;
    path: string;
    text: string;
    pages: readonly string[];
  }) => string;
};
const { PACKAGES, REPOSITORY, isRepositoryKnown } = packages as {
  PACKAGES: readonly { folder: string; name: string }[];
  REPOSITORY: string;
  isRepositoryKnown: (address: string) => boolean;
};

/**
 * The files of each package that npm would publish, by the package's folder. The
 * registry has no version of these packages.
 */
async function published(): Promise<ReadonlyMap<string, readonly string[]>> {
  const registry = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  const port = await listen(registry);
  try {
    const { stdout } = await run(
      "npm",
      [
        ...["publish", "--dry-run", "--json", "--ignore-scripts"],
        ...["--registry", `http://127.0.0.1:${port}/`],
        ...PUBLISHED.flatMap(({ folder }) => ["-w", folder]),
      ],
      { cwd: ROOT, maxBuffer: 1 << 28 },
    );
    const answer = JSON.parse(stdout) as Record<
      string,
      { version: string; files: { path: string }[] }
    >;
    return new Map(
      PUBLISHED.map(({ folder, name }) => [
        folder,
        answer[name]?.files.map(({ path }) => path) ?? [],
      ]),
    );
  } finally {
    registry.close();
  }
}

let contents: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  contents = await published();
}, 180_000);

/** The names of the packages that a declaration imports, without Node's modules. */
const packagesIn = (declaration: string) =>
  ts
    .preProcessFile(declaration, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));

it("the scripts and the tests know the same packages", () => {
  expect(PACKAGES.map(({ name }) => name)).toEqual(
    PUBLISHED.map(({ name }) => name),
  );
  expect(PACKAGES.map(({ name }) => name)).toContain("@devid/pulumi");
});

describe.each(PUBLISHED)("$name", ({ folder, manifest }) => {
  const at = (path: string) => join(ROOT, folder, path);

  it("has a package.json that agrees with the root's (else: npm run gen)", () => {
    expect(readFileSync(at("package.json"), "utf8")).toBe(
      completedText(folder),
    );
    expect(manifest.description).toMatch(/^[A-Z].*\.$/);
    expect(manifest.keywords?.length).toBeGreaterThan(2);
  });

  it("can be published, with its README, its licence, and every file that package.json names", () => {
    const files = contents.get(folder) ?? [];
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json"]),
    );
    const named = JSON.stringify([
      manifest.main ?? [],
      manifest.bin ?? [],
      manifest.exports ?? [],
    ]).matchAll(/"(?:\.\/)?((?:bin|dist)\/[^"]+)"/g);
    for (const [, path] of named) expect(files).toContain(path);
  });

  it("contains the sources that its source maps name (else: npm run build)", () => {
    const files = contents.get(folder) ?? [];
    const known = new Set(files);
    const lost: string[] = [];
    for (const path of files.filter((file) => file.endsWith(".map"))) {
      const map = JSON.parse(readFileSync(at(path), "utf8")) as {
        sources: string[];
        sourcesContent?: (string | null)[];
      };
      for (const [n, source] of map.sources.entries())
        if (
          typeof map.sourcesContent?.[n] !== "string" &&
          !known.has(posix.join(posix.dirname(path), source))
        )
          lost.push(`${path}: ${source}`);
    }
    expect(lost).toEqual([]);
  });

  it("has types that name only packages that an installation brings", () => {
    const files = contents.get(folder) ?? [];
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    const brought = [
      manifest.name,
      ...Object.keys({
        ...dependencies,
        ...peerDependencies,
        ...optionalDependencies,
      }),
    ];
    const lost = files
      .filter((file) => /\.d\.[mc]?ts$/.test(file))
      .flatMap((file) =>
        packagesIn(readFileSync(at(file), "utf8"))
          .filter((name) => !brought.includes(name))
          .map((name) => `${file}: ${name}`),
      );
    expect(lost).toEqual([]);
  });

  it("has only pages whose links lead to a file of the package or into the repository", () => {
    const files = contents.get(folder) ?? [];
    const pages = files.filter((file) => file.endsWith(".md"));
    const broken: string[] = [];
    for (const page of pages) {
      const text =
        page === "README.md"
          ? packedReadme(folder)
          : readFileSync(at(page), "utf8");
      for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (link.startsWith("#")) continue;
        const [target = ""] = link.split("#");
        const inRepository = `${REPOSITORY}/blob/HEAD/`;
        const isThere = target.startsWith(inRepository)
          ? existsSync(join(ROOT, target.slice(inRepository.length)))
          : /^https?:/.test(target) ||
            files.includes(posix.join(posix.dirname(page), target));
        if (!isThere) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });
});

it("a link to a page of the same package stays within the package", () => {
  const page = {
    folder: "sdk",
    path: "docs/resources/README.md",
    pages: ["docs/contract.md", "docs/resources/README.md"],
    text: "[a](../contract.md#keys) [b](../drift.md) [c](#here) [d](../../sdk/src/client.ts)",
  };
  expect(packedText(page)).toBe(
    `[a](../contract.md#keys) [b](${REPOSITORY}/blob/HEAD/docs/drift.md) [c](#here) [d](../../src/client.ts)`,
  );
});

it("the placeholder is not accepted as the repository's address", () => {
  expect(isRepositoryKnown("https://repository.invalid/devid/devid")).toBe(
    false,
  );
  expect(isRepositoryKnown("https://code.example/devid/devid")).toBe(true);
});

/** Licences that require only their text, and the public domain. */
const ALLOWED = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0"],
  ...["CC-BY-3.0", "CC0-1.0", "ISC", "MIT"],
]);

const isAllowed = (license: string) =>
  license
    .split(/[() ]+(?:AND|OR)?[() ]*/)
    .every((one) => one === "" || ALLOWED.has(one));

describe.each(["service", "cli", "provider"])(
  "the licences in the bundles of %s",
  (folder) => {
    const text = () => textOf(`${folder}/THIRD-PARTY-LICENSES`);
    const titles = () => [
      ...text().matchAll(/^-{72}\n\n(\S+) (\S+) \((.*)\)\n\n-{72}\n\n([^-])/gm),
    ];

    it("are all allowed, and have their text", () => {
      expect(titles().length).toBe(
        text().split(`${"-".repeat(72)}\n\n`).length / 2 - 0.5,
      );
      for (const [, name, , license = ""] of titles())
        expect(isAllowed(license), `${name}: ${license}`).toBe(true);
      expect(text()).toMatch(/Copyright \(c\)/i);
    });

    it("are those of the bundled packages", () => {
      const names = titles().map(([, name]) => name);
      const some = {
        service: ["@noble/hashes"],
        cli: ["commander", "fastify", "undici", "yaml", "zod"],
        provider: ["@grpc/grpc-js", "google-protobuf", "undici", "zod"],
      };
      expect(names).toEqual(
        expect.arrayContaining(some[folder as keyof typeof some]),
      );
    });
  },
);

it("every package that an installation brings has an allowed licence", () => {
  const { packages: locked } = JSON.parse(textOf("package-lock.json")) as {
    packages: Record<
      string,
      { license?: string; dev?: boolean; link?: boolean; version?: string }
    >;
  };
  const others = Object.entries(locked).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  expect(others.length).toBeGreaterThan(100);
  const refused = others
    .filter(([, { license = "none" }]) => !isAllowed(license))
    .map(([path, { license }]) => `${dirname(path)} ${path}: ${license}`);
  // Its LICENSE file is the MIT licence.
  expect(refused.filter((one) => !one.includes("@logdna/tail-file"))).toEqual(
    [],
  );
});
