// Derives members of each package.json from the root and from the package's `exports`,
// and the settings of changesets, by which all packages have the same version. `npm run
// gen` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatted } from "./formatted.mjs";
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
    // A package with ES modules only cannot be loaded under that setting.
    typesVersions: manifest.main && typesVersions(manifest.exports ?? {}),
  };
  return Object.fromEntries([
    ...FIRST.map((name) => [name, whole[name]]),
    ...Object.entries(whole).filter(([name]) => !FIRST.includes(name)),
  ]);
}

/** The text that the package.json of a folder should have. */
export const completedText = (folder) =>
  `${JSON.stringify(completed(manifestOf(folder), folder), undefined, 2)}\n`;

/** The text that the settings of changesets should have. */
export function changesetSettings() {
  const settings = JSON.parse(
    readFileSync(join(ROOT, ".changeset/config.json"), "utf8"),
  );
  const fixed = [PACKAGES.map(({ name }) => name)];
  return JSON.stringify({ ...settings, fixed }, undefined, 2);
}

/** Writes a file if its text has changed. */
async function write(path, text) {
  const wanted = await formatted(path, text);
  if (readFileSync(path, "utf8") !== wanted) writeFileSync(path, wanted);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { folder } of PACKAGES)
    await write(join(ROOT, folder, "package.json"), completedText(folder));
  await write(join(ROOT, ".changeset/config.json"), changesetSettings());
}
