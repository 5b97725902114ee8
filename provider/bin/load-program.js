const { statSync } = require("node:fs");
const { join } = require("node:path");

const changedAt = (path) =>
  statSync(join(__dirname, "..", path), { throwIfNoEntry: false })?.mtimeMs;

/**
 * Loads the bundle of a program, which starts in half the time. Packages that were
 * compiled after the bundle was made run as they are. The paths are below `dist`.
 */
exports.loadProgram = (bundle, compiled) => {
  const bundledAt = changedAt(`dist/bundle/${bundle}`) ?? -1;
  const compiledAt = ["sdk", "rules", "provider"].map(
    (room) => changedAt(`../${room}/tsconfig.tsbuildinfo`) ?? 0,
  );
  return compiledAt.every((time) => time <= bundledAt)
    ? require(`../dist/bundle/${bundle}`)
    : require(`../dist/${compiled}`);
};
