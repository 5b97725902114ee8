// Deletes compiled files whose sources are gone. `tsc` does not delete them, and npm
// would publish them.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGES, ROOT } from "./packages.mjs";

for (const { folder } of PACKAGES) {
  const dist = join(ROOT, folder, "dist");
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!/\.d\.m?ts\.map$/.test(name)) continue;
    const map = join(dist, name);
    const { sources } = JSON.parse(readFileSync(map, "utf8"));
    if (sources.every((source) => existsSync(join(dirname(map), source))))
      continue;
    const declaration = map.replace(/\.map$/, "");
    const code = declaration.replace(/\.d\.(m?)ts$/, ".$1js");
    for (const file of [map, declaration, code, `${code}.map`])
      rmSync(file, { force: true });
  }
}
