import type { RuleRequest } from "../language";
import { botFlags } from "../language/request/bot-flags";
import { lengthOf } from "../language/text/text";
import {
  type PatternText,
  patternTexts,
} from "../language/regex/pattern-texts";
import { FIELDS, type Field } from "../language/tables/fields";
import type { PartPlace } from "../language/tables/operators";
import { type ConstraintStore, elementsOf } from "./constraint-store";
import {
  applyMapping,
  isOneOf,
  fieldVariable,
  booleanVariable,
  type Formula,
  IP,
  numberWithin,
  sizeVariable,
  type TextVariable,
} from "./formula";
import { only } from "./integer-set";
import { realisticAddress } from "./realistic-address";
import { plainTexts, realisticTexts } from "./realistic-texts";
import type { TextDomain, TextTest } from "./text-domain";

const variablesOf = (type: Field["type"]) =>
  FIELDS.filter(
    (field) => field.type === type && field.symbolic?.kind === "variable",
  );
const textFields = variablesOf("string");
const booleanFields = variablesOf("boolean");

/** The field whose value the bot flags of a request follow from. */
const USER_AGENT = "http.user_agent.string";

/**
 * Builds a request that is meant to satisfy the constraints, with as plain values
 * as they allow. The caller has to check it, as not every value can be found.
 * What is assumed on the way is taken back.
 */
export function buildWitness(
  store: ConstraintStore,
  assume: Assume,
): RuleRequest {
  const mark = store.push();
  const texts: Record<string, string> = {};
  for (const field of textFields) {
    const variable = fieldVariable(field);
    if (!store.concerns(variable)) continue;
    const text = chooseText(variable, store, assume);
    if (text !== undefined && text !== "") texts[field.from] = text;
  }
  const headers = chooseHeaders(store, assume);
  const ip = store.has(IP) ? realisticAddress(store.numbers(IP)) : undefined;
  const request: RuleRequest = {
    headers,
    ...(ip === undefined ? {} : { ip }),
    ...texts,
    ...chooseBooleans(store, texts.userAgent),
  };
  store.pop(mark);
  return request;
}

function chooseHeaders(store: ConstraintStore, assume: Assume) {
  // Names such as __proto__ are names of headers, too.
  return Object.fromEntries(
    store.sizes().flatMap(({ header }) => {
      const values = headerValues(header, store, assume);
      return values ? [[header, values] as const] : [];
    }),
  );
}

/** The values of boolean fields: the required value, or the value that follows from the user agent. */
function chooseBooleans(store: ConstraintStore, userAgent: string | undefined) {
  const implied: Readonly<Record<string, boolean>> =
    userAgent === undefined ? {} : { ...botFlags(userAgent) };
  const chosen: Record<string, boolean> = {};
  for (const field of booleanFields) {
    const value = store.truth(booleanVariable(field)) ?? implied[field.from];
    if (value !== undefined) chosen[field.from] = value;
  }
  return chosen;
}

/** How many numbers of values are tried for one header. */
const MAX_TRIALS = 4;
const MAX_VALUES = 1_000n;

/** Values for a header that satisfy the constraints. Undefined if the header is left out, or if no values were found. */
function headerValues(
  name: string,
  store: ConstraintStore,
  assume: Assume,
): string[] | undefined {
  const size = sizeVariable(name);
  const sizes = store
    .numbers(size)
    .flatMap(([first, last]) =>
      Array.from({ length: MAX_TRIALS }, (_, i) => first + BigInt(i)).filter(
        (one) => one <= last && one < MAX_VALUES,
      ),
    )
    .slice(0, MAX_TRIALS);
  for (const count of sizes) {
    const mark = store.push();
    if (attempt(numberWithin(size, only(count)), store, assume)) {
      if (count < 0n) return undefined;
      const values = fill(name, Number(count), store, assume);
      if (values) return values;
    }
    store.pop(mark);
  }
  return undefined;
}

function fill(
  name: string,
  count: number,
  store: ConstraintStore,
  assume: Assume,
): string[] | undefined {
  const values = Array<string | undefined>(count).fill(undefined);
  const some: string[] = [];
  const elements = elementsOf(name, store);
  for (const element of elements.filter(({ what }) => what === "some")) {
    const text = chooseText(element, store, assume, some);
    if (text === undefined) return undefined;
    some.push(text);
  }
  for (const element of elements) {
    if (element.what === "some") continue;
    const { index } = element;
    const place = index < 0 ? count + index : index;
    const known = values.slice(place, place + 1).filter(isKnown);
    const text = chooseText(element, store, assume, [...known, ...some]);
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
  const spare = values.find(isKnown) ?? "";
  return values.map((value) => value ?? spare);
}

const isKnown = (text: string | undefined) => text !== undefined;

/** Asserts a choice and propagates it. False if it contradicts the constraints. */
export type Assume = (choice: Formula) => boolean;

const MAX_CANDIDATES = 80;

/** A text that satisfies the constraints, if possible a preferred one; undefined if none is found. */
function chooseText(
  variable: TextVariable,
  store: ConstraintStore,
  assume: Assume,
  preferred: readonly string[] = [],
): string | undefined {
  let tried = 0;
  const candidates = [preferred, textCandidates(variable, store)];
  for (const texts of candidates)
    for (const text of texts) {
      if (tried++ > MAX_CANDIDATES) return undefined;
      if (attempt(isOneOf(variable, [text]), store, assume)) return text;
    }
  return undefined;
}

/** Assumes a choice. If it contradicts the constraints, takes it back and returns false. */
function attempt(
  choice: Formula,
  store: ConstraintStore,
  assume: Assume,
): boolean {
  const mark = store.push();
  if (assume(choice)) return true;
  store.pop(mark);
  return false;
}

/** Characters that texts are filled up with. The first one that no forbidden test looks for is taken. */
const FILLERS = ["x", "0", "-", "z", "~", "_", "\u00e6", "\u4e2d"];
const MAX_SAMPLES = 6;
const MAX_COMBINATIONS = 12;
/** Most values of one list that are tried. */
const MAX_LISTED = 20;

/** Texts to try for a variable, the plainest first. Some may contradict the constraints, and others that would fit are missing. */
function* textCandidates(
  variable: TextVariable,
  store: ConstraintStore,
): Generator<string> {
  const domains = domainsAround(variable, store);
  const [own] = domains;
  for (const { values = [] } of domains) {
    let left = MAX_LISTED;
    for (const text of values)
      if (left > 0 && fits(variable, text, store)) {
        left--;
        yield text;
      }
  }
  if (own?.values) return;
  const required = domains.flatMap((domain) => domain.required);
  const forbidden = domains.flatMap((domain) => domain.forbidden);
  const part = partOf(variable);
  if (part !== undefined) yield* plainTexts(part);
  const needed = piecesOf(required);
  yield* realistic(variable, needed, store);
  const filler = fillerFor(forbidden, domains);
  const shortest = shortestLength(variable, store);
  for (const pieces of needed)
    for (const extra of [0, 1, 2, 5])
      for (const gap of extra === 0 ? ["", filler, " "] : [filler])
        yield assembled(pieces, gap, filler, shortest, extra);
  for (const test of [...required, ...forbidden])
    if ("than" in test) {
      const than = test.than.replace(/\0$/, "");
      yield* [than, than + filler, than.slice(0, -1)];
    }
  yield* FILLERS;
  for (const { excluded } of domains)
    for (const text of [...excluded].slice(0, 3)) yield text + filler;
}

/** The domain of a text, and the domains of functions of it. */
const domainsAround = (
  variable: TextVariable,
  store: ConstraintStore,
): TextDomain[] => [
  store.texts(variable),
  ...store
    .relatedTo(variable.key)
    .flatMap((tied) =>
      tied.what === "mapped" ? domainsAround(tied, store) : [],
    ),
];

/** The field or header that has a text as its value. Undefined for a text that is computed from another text. */
function partOf(variable: TextVariable): string | undefined {
  if (variable.what === "field") return variable.field.name;
  return "header" in variable ? variable.header : undefined;
}

/** Whether a text passes all tests of a variable, and the results of functions of the text pass theirs. */
function fits(
  variable: TextVariable,
  text: string,
  store: ConstraintStore,
): boolean {
  return (
    store.texts(variable).has(text) &&
    store
      .relatedTo(variable.key)
      .every(
        (tied) =>
          tied.what !== "mapped" ||
          tied.of.key !== variable.key ||
          fits(tied, applyMapping(tied.by, text), store),
      )
  );
}

const MAX_REALISTIC = 6;

/** The realistic texts that pass the tests. User agents with the required bot flags come first. */
function realistic(
  variable: TextVariable,
  pieces: readonly Pieces[],
  store: ConstraintStore,
): string[] {
  const part = partOf(variable);
  if (part === undefined) return [];
  const texts = new Set(
    pieces.flatMap(({ start, middle, end }) =>
      realisticTexts(part, [start, ...middle, end]),
    ),
  );
  const fitting = [...texts].filter((text) => fits(variable, text, store));
  if (part === USER_AGENT) {
    const wrong = new Map(
      fitting.map((text) => [text, wrongFlags(text, store)]),
    );
    fitting.sort((a, b) => (wrong.get(a) ?? 0) - (wrong.get(b) ?? 0));
  }
  return fitting.slice(0, MAX_REALISTIC);
}

/** How many required bot flags differ from those that a user agent implies. */
function wrongFlags(userAgent: string, store: ConstraintStore): number {
  const flags: Readonly<Record<string, boolean>> = { ...botFlags(userAgent) };
  return booleanFields.filter(
    (field) => store.truth(booleanVariable(field)) === !flags[field.from],
  ).length;
}

function shortestLength(
  variable: TextVariable,
  store: ConstraintStore,
): number {
  const lengths = store
    .relatedTo(variable.key)
    .flatMap((tied) =>
      tied.what === "length" ? [store.numbers(tied)[0]?.[0] ?? 0n] : [],
    );
  const shortest = lengths.reduce((a, b) => (a > b ? a : b), 0n);
  return shortest < 1_000n ? Number(shortest) : 0;
}

function fillerFor(
  forbidden: readonly TextTest[],
  domains: readonly TextDomain[],
): string {
  const isSought = (filler: string) =>
    forbidden.some(
      (test) => "part" in test && test.part.toLowerCase().includes(filler),
    ) || domains.some((domain) => domain.excluded.has(filler));
  return FILLERS.find((filler) => !isSought(filler)) ?? "\u2603";
}

/** The parts that a text needs, from its start to its end. */
interface Pieces {
  readonly start: string;
  readonly middle: readonly string[];
  readonly end: string;
}

function piecesOf(required: readonly TextTest[]): Pieces[] {
  const parts = required.flatMap((test) => (test.kind === "part" ? test : []));
  return samplesOf(required).map((samples) => {
    const all = [
      ...parts,
      ...samples.map(({ text: part, atStart, atEnd }) => ({
        part,
        place: atStart ? "start" : atEnd ? "end" : "anywhere",
      })),
    ];
    const at = (place: PartPlace) =>
      all.filter((one) => one.place === place).map((one) => one.part);
    const [start, end] = [longest(at("start")), longest(at("end"))];
    const middle = at("anywhere").filter(
      (part) => !start.includes(part) && !end.includes(part),
    );
    return { start, middle, end };
  });
}

const longest = (texts: readonly string[]) =>
  texts.reduce((a, b) => (b.length > a.length ? b : a), "");

function samplesOf(required: readonly TextTest[]): PatternText[][] {
  let combinations: PatternText[][] = [[]];
  for (const test of required) {
    if (test.kind !== "pattern") continue;
    const texts = patternTexts(test.pattern)?.texts.slice(0, MAX_SAMPLES) ?? [];
    if (texts.length === 0) continue;
    combinations = combinations
      .flatMap((before) => texts.map((text) => [...before, text]))
      .slice(0, MAX_COMBINATIONS);
  }
  return combinations;
}

function assembled(
  { start, middle, end }: Pieces,
  gap: string,
  filler: string,
  shortest: number,
  extra: number,
): string {
  const head = [start, ...middle].filter((piece) => piece !== "").join(gap);
  const tail = end === "" ? "" : head === "" ? end : gap + end;
  const missing = Math.max(0, shortest - lengthOf(head + tail)) + extra;
  return head + filler.repeat(missing) + tail;
}
