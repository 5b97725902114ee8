// Makes the provider plugin an executable that needs no Node.js: the Node.js of this
// process with the plugin in it (Node's "single executable applications"). Packs the
// executable and the licences into an archive for `pulumi plugin install resource devid
// VERSION --file ARCHIVE`. The first argument is the folder for the archive and its
// checksum; default: `release`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inject } from "postject";
import { create } from "tar";
import { bundleFile } from "../bundle/bundle-program.mjs";
import { writeThirdPartyLicenses } from "../bundle/third-party-licenses.mjs";
import { manifestOf, ROOT } from "../packages/packages.mjs";

const provider = join(ROOT, "provider");
const { version } = manifestOf("provider");
/** Pulumi's names of platforms. */
const platform = { win32: "windows" }[process.platform] ?? process.platform;
const architecture = { x64: "amd64" }[process.arch] ?? process.arch;
const isMac = process.platform === "darwin";

const folder = resolve(process.argv[2] ?? "release");
const archive = `pulumi-resource-devid-v${version}-${platform}-${architecture}.tar.gz`;
const work = mkdtempSync(join(tmpdir(), "devid-release-"));
const at = (name) => join(work, name);

try {
  const metafile = await bundleFile({
    entry: join(provider, "src/adapters/plugin/plugin-executable.ts"),
    outfile: at("plugin.cjs"),
  });
  const config = {
    main: at("plugin.cjs"),
    output: at("plugin.blob"),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(
      ["package.json", "schema.json"].map((name) => [
        name,
        join(provider, name),
      ]),
    ),
  };
  writeFileSync(at("sea.json"), JSON.stringify(config));
  const sea = ["--experimental-sea-config", at("sea.json")];
  execFileSync(process.execPath, sea, {
    stdio: ["ignore", "ignore", "inherit"],
  });

  const suffix = platform === "windows" ? ".exe" : "";
  const name = `pulumi-resource-devid${suffix}`;
  copyFileSync(process.execPath, at(name));
  chmodSync(at(name), 0o755);
  if (isMac) execFileSync("codesign", ["--remove-signature", at(name)]);
  await inject(at(name), "NODE_SEA_BLOB", readFileSync(at("plugin.blob")), {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    machoSegmentName: "NODE_SEA",
  });
  // macOS does not run an executable with a wrong signature.
  if (isMac) execFileSync("codesign", ["--sign", "-", at(name)]);

  copyFileSync(join(ROOT, "LICENSE"), at("LICENSE"));
  writeThirdPartyLicenses(at("THIRD-PARTY-LICENSES"), [metafile]);
  const names = [name, "LICENSE", "THIRD-PARTY-LICENSES"];
  // The paths of the licence in Node's own archives, on Unix and on Windows, and on
  // Debian.
  const nodeLicense = ["../LICENSE", "LICENSE", "../share/doc/nodejs/LICENSE"]
    .map((path) => join(dirname(process.execPath), path))
    .find((path) => existsSync(path));
  if (nodeLicense === undefined)
    console.error(
      `The licence of Node.js is not beside ${process.execPath}, so the archive does not have it.`,
    );
  else {
    copyFileSync(nodeLicense, at("LICENSE-NODE"));
    names.push("LICENSE-NODE");
  }

  mkdirSync(folder, { recursive: true });
  const file = join(folder, archive);
  await create({ file, cwd: work, gzip: true, portable: true }, names);
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  writeFileSync(`${file}.sha256`, `${digest}  ${archive}\n`);
  console.log(file);
} finally {
  rmSync(work, { recursive: true });
}
