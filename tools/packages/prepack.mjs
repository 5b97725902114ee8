// Runs before npm packs the package of this folder. Builds everything, and writes the
// README with the links that work in the package. `npm run pack` builds once for all
// packages, and then sets DEVID_IS_BUILT.
import { execSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { packedReadme } from "./docs.mjs";
import { ROOT } from "./packages.mjs";
import { originalReadme, restoreReadme } from "./postpack.mjs";

const folder = relative(ROOT, process.cwd());
// An earlier pack may have been interrupted.
restoreReadme(folder);
if (process.env.DEVID_IS_BUILT !== "yes")
  execSync("npm run -s prepare", {
    cwd: ROOT,
    // npm expects only its own result on standard output.
    stdio: ["ignore", process.stderr, "inherit"],
  });
const readme = packedReadme(folder);
mkdirSync(dirname(originalReadme(folder)), { recursive: true });
copyFileSync("README.md", originalReadme(folder));
writeFileSync("README.md", readme);
