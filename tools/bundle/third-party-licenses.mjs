// The licences of the third-party packages in a bundle, as the text that the licences
// demand.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Folders of the third-party packages whose code is in a bundle, read from esbuild's
 * metafile.
 */
export function foreignPackages({ outputs }) {
  const folders = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => {
        const [folder] =
          /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path) ?? [];
        return folder === undefined ? [] : [resolve(folder)];
      }),
  );
  return [...new Set(folders)];
}

/** A third-party package, with the texts of its licence. */
function licenseOf(folder) {
  const manifest = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  const { name, version, license } = manifest;
  if (texts.length === 0) texts.push(standardText(manifest));
  return { name, version, license, texts };
}

/** The licence of a package that has no licence file. */
function standardText({ name, version, license, author }) {
  const holder = author?.name ?? author;
  if (license !== "MIT" || holder === undefined)
    throw new Error(
      `${name} ${version} is bundled, and has no file with its licence (${license}).`,
    );
  return `The package has no file with its licence. Its package.json names MIT and the author.

Copyright (c) ${holder}

${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const LINE = "-".repeat(72);

/** The licence text for third-party packages, each package once. */
export function thirdPartyLicenses(folders) {
  const byName = new Map(
    folders.map(licenseOf).map((one) => [`${one.name} ${one.version}`, one]),
  );
  const sections = [...byName]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, { license, texts }]) =>
      [LINE, `${title} (${license})`, LINE, ...texts].join("\n\n"),
    );
  return [
    "This package contains code of the following packages, under their licences.",
    ...sections,
    "",
  ].join("\n\n");
}

/** Writes the licences of the third-party packages in bundles to a file. */
export function writeThirdPartyLicenses(file, metafiles) {
  const folders = metafiles.flatMap(foreignPackages);
  writeFileSync(file, thirdPartyLicenses(folders));
}
