/** A set of integers: ranges from a first to a last, apart from each other and in order. */
export type Ranges = readonly Range[];

/** The integers from a first to a last, both included. */
export type Range = readonly [first: bigint, last: bigint];

/** The set of one integer. */
export function only(value: bigint): Ranges {
  return [[value, value]];
}

/** The integers that both sets have. */
export function intersection(a: Ranges, b: Ranges): Ranges {
  const common: Range[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [x, y] = [a[i], b[j]];
    if (!x || !y) return common;
    const first = x[0] > y[0] ? x[0] : y[0];
    const last = x[1] < y[1] ? x[1] : y[1];
    if (first <= last) common.push([first, last]);
    if (x[1] < y[1]) i++;
    else j++;
  }
}

/** The integers of one set that another does not have. */
export function difference(a: Ranges, b: Ranges): Ranges {
  const left: Range[] = [];
  let j = 0;
  for (const [first, last] of a) {
    let next = first;
    for (let y = b[j]; y && y[1] < next; y = b[j]) j++;
    for (let k = j; ; k++) {
      const y = b[k];
      if (!y || y[0] > last) break;
      if (y[0] > next) left.push([next, y[0] - 1n]);
      next = y[1] + 1n;
    }
    if (next <= last) left.push([next, last]);
  }
  return left;
}

/** Whether a set has an integer. */
export function includes(ranges: Ranges, value: bigint): boolean {
  return ranges.some(([first, last]) => first <= value && value <= last);
}

/** Whether all, none or only some of a set's integers lie in another; true, false or undefined. */
export function isWithin(ranges: Ranges, others: Ranges): boolean | undefined {
  const common = intersection(ranges, others);
  if (common.length === 0) return false;
  const isAll =
    common.length === ranges.length &&
    common.every(([first, last], i) => {
      const [from, to] = ranges[i] ?? [];
      return first === from && last === to;
    });
  return isAll ? true : undefined;
}
