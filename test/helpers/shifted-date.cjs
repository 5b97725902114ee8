// Loaded before everything else in each process of `test/at-date.mjs`: the date of
// JavaScript is that of the machine, shifted by as many milliseconds.
const Real = Date;
const shiftMs = Number(process.env.TEST_DATE_SHIFT_MS);
const now = () => Real.now() + shiftMs;

globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
