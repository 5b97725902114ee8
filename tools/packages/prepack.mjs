// Runs before npm packs the package of this folder. Builds everything, and writes the
// README with the links that work in the package. `npm run pack` builds once for all
// packages, and then sets DEVID_IS_BUILT.
import { execSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { packedReadme } from "./docs.mjs";
import { ROOT } from "./packages.mjs";
import { keptReadme, restoreReadme } from "./postpack.mjs";

const folder = relative(ROOT, process.cwd());
const kept = keptReadme(folder);
// An earlier pack may have been interrupted.
restoreReadme("README.md", kept);
if (process.env.DEVID_IS_BUILT !== "yes")
  execSync("npm run -s prepare", {
    cwd: ROOT,
    // npm expects only its own result on standard output.
    stdio: ["ignore", process.stderr, "inherit"],
  });
const original = readFileSync("README.md", "utf8");
const packed = packedReadme(folder);
mkdirSync(dirname(kept), { recursive: true });
writeFileSync(kept, JSON.stringify({ original, packed }));
writeFileSync("README.md", packed);
