// Packs all packages into a folder, which the first argument names; default: `packed`.
import { execFileSync, execSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { PACKAGES, ROOT } from "./packages.mjs";

const folder = resolve(process.argv[2] ?? "packed");
mkdirSync(folder, { recursive: true });
execSync("npm run -s prepare", { cwd: ROOT, stdio: "inherit" });
const workspaces = PACKAGES.flatMap(({ folder: one }) => ["-w", one]);
// npm then prints the names of the tarballs, and not each file of them.
const quiet = ["--loglevel", "error", "--no-foreground-scripts"];
execFileSync(
  "npm",
  ["pack", ...quiet, "--pack-destination", folder, ...workspaces],
  {
    cwd: ROOT,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, DEVID_IS_BUILT: "yes" },
  },
);
console.log(`Packed into ${folder}.`);
