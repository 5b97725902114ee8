// Writes into the package.json of each package what follows from the root and from its
// own `exports`. `npm run gen` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, PACKAGES, REPOSITORY, ROOT } from "./packages.mjs";

/** The members that come first, in this order. */
const FIRST = [
  "name",
  "version",
  "license",
  "description",
  "keywords",
  "homepage",
  "bugs",
  "repository",
];

/**
 * Where TypeScript finds the types of each subpath under `moduleResolution: node`, which
 * does not read `exports`.
 */
function typesVersions(exports) {
  const paths = Object.entries(exports).flatMap(([subpath, { types }]) =>
    subpath === "." || types === undefined
      ? []
      : [[subpath.slice(2), [types.slice(2)]]],
  );
  return paths.length === 0 ? undefined : { "*": Object.fromEntries(paths) };
}

/** A package.json with the members that are derived. */
export function completed(manifest, folder) {
  const { license, repository } = manifestOf("");
  const whole = {
    ...manifest,
    license,
    homepage: `${REPOSITORY}/tree/HEAD/${folder}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { ...repository, directory: folder },
    publishConfig: { access: "public", provenance: true },
    scripts: {
      ...manifest.scripts,
      prepack: "node ../tools/packages/prepack.mjs",
      postpack: "node ../tools/packages/postpack.mjs",
    },
    // ES modules alone cannot be loaded under that setting.
    typesVersions: manifest.main && typesVersions(manifest.exports ?? {}),
  };
  return Object.fromEntries([
    ...FIRST.map((name) => [name, whole[name]]),
    ...Object.entries(whole).filter(([name]) => !FIRST.includes(name)),
  ]);
}

/** The text of the package.json of a folder as it has to be. */
export const completedText = (folder) =>
  `${JSON.stringify(completed(manifestOf(folder), folder), undefined, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { folder } of PACKAGES) {
    const path = join(ROOT, folder, "package.json");
    const wanted = completedText(folder);
    if (readFileSync(path, "utf8") !== wanted) writeFileSync(path, wanted);
  }
