import { expect, it } from "vitest";
import { FILES } from "../helpers/sources";
import { textOf } from "../helpers/repository";

const examples = FILES.flatMap(
  (path) => /^(examples\/[^/]+)\/tsconfig\.json$/.exec(path)?.[1] ?? [],
);

it("there are examples", () => {
  expect(examples.length).toBeGreaterThan(7);
});

// Without its own TypeScript, Pulumi compiles with a TypeScript that does not know the tsconfig.
it.each(examples)(
  "a copy of %s has all packages that it needs, and no file from elsewhere",
  (folder) => {
    const manifest = JSON.parse(textOf(`${folder}/package.json`)) as Record<
      "dependencies" | "devDependencies",
      object
    >;
    const declared = Object.keys({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    });
    const code = FILES.filter((path) =>
      RegExp(`^${folder}/[^/]+\\.(ts|mjs)$`).test(path),
    ).map(textOf);
    const imported = code.flatMap((text) =>
      [...text.matchAll(/ from "((?:@[^/"]+\/)?[^/"]+)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const needed = imported
      .filter((name) => !/^\.{1,2}$/.test(name))
      .map((name) => (name.startsWith("node:") ? "@types/node" : name));
    expect(declared).toEqual(
      expect.arrayContaining([...needed, "typescript", "@types/node"]),
    );
    expect(textOf(`${folder}/tsconfig.json`)).not.toContain("../");
    expect(imported).not.toContain("..");
  },
);
