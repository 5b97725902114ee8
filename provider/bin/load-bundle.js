const { existsSync } = require("node:fs");
const { join } = require("node:path");

/** Loads the bundle of a program, by its path below `dist/bundle`. */
exports.loadBundle = (path) => {
  const bundle = join(__dirname, "../dist/bundle", path);
  if (existsSync(bundle)) return require(bundle);
  throw new Error(
    "@devid/pulumi is not built: run npm run build in the repository.",
  );
};
