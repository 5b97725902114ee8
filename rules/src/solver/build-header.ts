import { attempt, chooseText, type Commit } from "./choose-text";
import { numberWithin } from "./formula";
import type { Knowledge } from "./knowledge";
import { elementsOf } from "./header-ties";
import { only } from "./ranges";
import { sizeSubject, type ElementSubject } from "./subject";

type Indexed = Extract<ElementSubject, { readonly what: "element" }>;

/** Numbers of values that are tried for one header. */
const MAX_TRIALS = 4;
/** Most values that a header is given. */
const MAX_VALUES = 1_000n;

/** Values for a header that fit what is known; undefined for one that is better left out. */
export function headerValues(
  name: string,
  knowledge: Knowledge,
  commit: Commit,
): string[] | undefined {
  const size = sizeSubject(name);
  const sizes = knowledge
    .numbers(size)
    .flatMap(([first, last]) =>
      Array.from({ length: MAX_TRIALS }, (_, i) => first + BigInt(i)).filter(
        (one) => one <= last && one < MAX_VALUES,
      ),
    )
    .slice(0, MAX_TRIALS);
  for (const count of sizes) {
    const mark = knowledge.mark();
    if (attempt(numberWithin(size, only(count)), knowledge, commit)) {
      if (count < 0n) return undefined;
      const values = fill(name, Number(count), knowledge, commit);
      if (values) return values;
    }
    knowledge.backTo(mark);
  }
  return undefined;
}

function fill(
  name: string,
  count: number,
  knowledge: Knowledge,
  commit: Commit,
): string[] | undefined {
  const values = Array<string | undefined>(count).fill(undefined);
  const elements = elementsOf(name, knowledge);
  const some: string[] = [];
  for (const element of elements)
    if (element.what === "some") {
      const text = chooseText(element, knowledge, commit, some);
      if (text === undefined) return undefined;
      some.push(text);
    }
  for (const element of elements)
    if (element.what === "element") {
      const text = chooseText(element, knowledge, commit, [
        ...placed(values, placeOf(element, count)),
        ...some,
      ]);
      const place = placeOf(element, count);
      if (text === undefined || (values[place] ?? text) !== text)
        return undefined;
      values[place] = text;
    }
  for (const text of some) {
    if (values.includes(text)) continue;
    const free = values.indexOf(undefined);
    if (free < 0) return undefined;
    values[free] = text;
  }
  const [spare = ""] = values.filter((value) => value !== undefined);
  return values.map((value) => value ?? spare);
}

function placeOf({ index }: Indexed, count: number): number {
  return index < 0 ? count + index : index;
}

function placed(values: readonly (string | undefined)[], place: number) {
  const value = values[place];
  return value === undefined ? [] : [value];
}
