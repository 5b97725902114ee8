import { ElementCondition } from "./element-condition";
import { ALWAYS, NEVER, numberWithin, type Formula } from "./formula";
import { includes, intersection, isWithin, only, type Ranges } from "./ranges";
import { sizeSubject, SIZES, type TextSubject } from "./subject";
import { textsRelate } from "./text-formula";

/** That a header was not sent. */
export function isMissing(header: string): Formula {
  return numberWithin(sizeSubject(header), only(-1n));
}

/** That a header has a value at an index; from the end, if negative. */
export function hasElement(header: string, index: bigint): Formula {
  const least = index < 0n ? -index : index + 1n;
  return numberWithin(sizeSubject(header), atLeast(least));
}

/** That some value of a header meets a condition. */
export function exists(condition: ElementCondition): Formula {
  const { some } = condition;
  if (some === NEVER) return NEVER;
  if (some === ALWAYS) return hasElement(condition.header, 0n);
  return numberWithin(condition.exists, only(1n));
}

/** That some value of a header is a text. */
export function isSomeValue(
  header: string,
  text: TextSubject | string,
): Formula {
  const other = typeof text === "string" ? JSON.stringify(text) : text.key;
  const key = `${JSON.stringify(header)} # == ${other}`;
  return exists(
    new ElementCondition(header, key, (element) =>
      textsRelate("==", element, text),
    ),
  );
}

/** That the number of values that meet a condition is among some; undefined where that takes more than whether any does. */
export function numberOfMatches(
  condition: ElementCondition,
  counts: Ranges,
): Formula | undefined {
  const isSome = isWithin(atLeast(1n), counts);
  const isNone = includes(counts, 0n);
  if (isSome === undefined) return undefined;
  if (isSome === isNone) return isSome ? ALWAYS : NEVER;
  const some = exists(condition);
  return isSome ? some : some.opposite;
}

/** Numbers of values that are no less than one; without a header that was not sent. */
export function atLeast(least: bigint): Ranges {
  return intersection(SIZES, [[least, least > 2n ** 33n ? least : 2n ** 33n]]);
}
