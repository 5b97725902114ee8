// Loaded before everything else in each process of `test/at-date.mjs`. Shifts
// JavaScript's date by a number of milliseconds. The times of files are shifted, too,
// because programs compare them with the date.
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const Real = Date;
const shiftMs = Number(process.env.TEST_DATE_SHIFT_MS);
const machineNow = Real.now;
const now = () => machineNow() + shiftMs;
// A test may replace this function, and restore it afterwards.
Real.now = now;

globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new Real(now()).toString(),
});

/** Shifts the times in the stats of a file. `stats` may have bigints. */
function shifted(stats) {
  for (const name of ["atime", "mtime", "ctime", "birthtime"]) {
    const ms = stats?.[`${name}Ms`];
    if (typeof ms === "bigint") {
      stats[`${name}Ms`] = ms + BigInt(shiftMs);
      stats[`${name}Ns`] += BigInt(shiftMs) * 1_000_000n;
    } else if (ms !== undefined) stats[`${name}Ms`] = ms + shiftMs;
    else continue;
    const value = new Real(Number(stats[`${name}Ms`]));
    Object.defineProperty(stats, name, { value, enumerable: true });
  }
  return stats;
}

/**
 * Converts a time that a process sets on a file (seconds or a date) to the machine's
 * time.
 */
const unshifted = (time) =>
  new Real((time instanceof Real ? +time : Number(time) * 1_000) - shiftMs);

const withUnshifted =
  (set) =>
  (file, atime, mtime, ...rest) =>
    set(file, unshifted(atime), unshifted(mtime), ...rest);

for (const name of ["stat", "lstat", "fstat"]) {
  const { [name]: callback, [`${name}Sync`]: sync } = fs;
  const { [name]: promise } = fs.promises;
  fs[name] = (...args) => {
    const done = args.pop();
    callback(...args, (error, stats) => done(error, shifted(stats)));
  };
  fs[`${name}Sync`] = (...args) => shifted(sync(...args));
  if (promise)
    fs.promises[name] = async (...args) => shifted(await promise(...args));
}
for (const name of ["utimes", "lutimes", "futimes"])
  for (const [of, key] of [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name],
  ])
    if (of[key]) of[key] = withUnshifted(of[key]);
syncBuiltinESMExports();
