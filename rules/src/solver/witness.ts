import { parseIp, type RuleRequest } from "../language";
import {
  patternTexts,
  type PatternText,
} from "../language/regex/pattern-texts";
import { botFlags, type BotFlags } from "../language/request/bot-flags";
import { lengthOf } from "../language/text/text";
import { isOneOf } from "./atoms";
import type { Knowledge } from "./constraint-store";
import {
  fieldSubject,
  flagSubject,
  HEADERS,
  IP,
  numberWithin,
  sizeSubject,
  type ElementSubject,
  type Formula,
  type TextField,
  type TextSubject,
} from "./formula";
import { addressNumber, addressText, includes, only } from "./integer-set";
import { elementsOf } from "./propagate";
import type { TextDomain, TextTest } from "./text-domain";

/** Addresses for documentation, which are nobody's. */
const PLAIN_ADDRESSES = ["203.0.113.10", "198.51.100.10", "2001:db8::10"];

/** Most headers that a request is filled up to. */
const MAX_HEADERS = 1_000n;

const FIELDS: readonly TextField[] = [
  "userAgent",
  "sdkPlatform",
  "sdkVersion",
  "appPackageName",
];

/**
 * Makes a request from what is known: as plain as that allows, and not sure to
 * fit. What it commits to is taken back.
 */
export function buildRequest(
  knowledge: Knowledge,
  commit: Commit,
): RuleRequest {
  const mark = knowledge.mark();
  const texts: Partial<Record<TextField, string>> = {};
  for (const field of FIELDS) {
    const subject = fieldSubject(field);
    if (!knowledge.concerns(subject)) continue;
    const text = chooseText(subject, knowledge, commit);
    if (text !== undefined && text !== "") texts[field] = text;
  }
  const headers = chooseHeaders(knowledge, commit);
  const ip = chooseAddress(knowledge);
  const request: RuleRequest = {
    headers,
    ...(ip === undefined ? {} : { ip }),
    ...texts,
    ...chooseFlags(knowledge, texts.userAgent),
  };
  knowledge.backTo(mark);
  return request;
}

function chooseHeaders(knowledge: Knowledge, commit: Commit) {
  const headers: Record<string, readonly string[]> = {};
  for (const { header } of knowledge.sizes()) {
    const values = headerValues(header, knowledge, commit);
    if (values) headers[header] = values;
  }
  const [range] = knowledge.numbers(HEADERS);
  const least = range && range[0] < MAX_HEADERS ? Number(range[0]) : 0;
  for (let i = 1; Object.keys(headers).length < least; i++)
    headers[`X-Other-${i}`] ??= ["other"];
  return headers;
}

function chooseAddress(knowledge: Knowledge): string | undefined {
  if (!knowledge.has(IP)) return undefined;
  const numbers = knowledge.numbers(IP);
  for (const text of PLAIN_ADDRESSES) {
    const address = parseIp(text);
    if (address && includes(numbers, addressNumber(address))) return text;
  }
  const range = numbers.find(([, last]) => last >= 0n);
  if (!range) return undefined;
  const first = range[0] < 0n ? 0n : range[0];
  // The first address of a network is the network's own.
  return addressText(first < range[1] ? first + 1n : first);
}

/** What the user agent tells, where nothing else is asked for. */
function chooseFlags(knowledge: Knowledge, userAgent: string | undefined) {
  const told = botFlags(userAgent);
  const chosen: { -readonly [Flag in keyof BotFlags]?: boolean } = {};
  for (const field of ["isAiBot", "isCrawlerBot"] as const) {
    const known = knowledge.truth(flagSubject(field));
    if (known !== undefined || userAgent !== undefined)
      chosen[field] = known ?? told[field];
  }
  return chosen;
}

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

/** Takes a choice for true, with all that follows; false where that cannot be. */
export type Commit = (choice: Formula) => boolean;

/** Most candidates that are tried for one text. */
const MAX_CANDIDATES = 80;

/** Chooses a text that fits what is known, those that are preferred first; undefined where none is found. */
export function chooseText(
  subject: TextSubject,
  knowledge: Knowledge,
  commit: Commit,
  preferred: readonly string[] = [],
): string | undefined {
  let tried = 0;
  const candidates = [preferred, textCandidates(subject, knowledge)];
  for (const texts of candidates)
    for (const text of texts) {
      if (tried++ > MAX_CANDIDATES) return undefined;
      if (attempt(isOneOf(subject, [text]), knowledge, commit)) return text;
    }
  return undefined;
}

/** Commits to a choice, or forgets it. */
export function attempt(
  choice: Formula,
  knowledge: Knowledge,
  commit: Commit,
): boolean {
  const mark = knowledge.mark();
  if (commit(choice)) return true;
  knowledge.backTo(mark);
  return false;
}

/** Characters that texts are filled up with; one that no known test looks for is best. */
const FILLERS = ["x", "0", "-", "z", "~", "_", "\u00e6", "\u4e2d"];
/** Texts of a pattern that are tried. */
const MAX_SAMPLES = 6;
/** Combinations of texts of several patterns that are tried. */
const MAX_COMBINATIONS = 12;

/** Texts that a subject may have, the plainest first: not sure to fit what is known, nor all that would. */
export function* textCandidates(
  subject: TextSubject,
  knowledge: Knowledge,
): Generator<string> {
  const domains = domainsAround(subject, knowledge);
  const [own] = domains;
  for (const domain of domains)
    if (domain.values) yield* [...domain.values].slice(0, 20);
  if (own?.values) return;
  const passed = domains.flatMap((domain) => domain.passed);
  const failed = domains.flatMap((domain) => domain.failed);
  yield* plainTexts(subject);
  const filler = fillerFor(failed, domains);
  const shortest = shortestLength(subject, knowledge);
  for (const pieces of piecesOf(passed))
    for (const extra of [0, 1, 2, 5])
      for (const gap of extra === 0 ? ["", filler, " "] : [filler])
        yield assembled(pieces, gap, filler, shortest, extra);
  for (const test of [...passed, ...failed])
    if ("than" in test)
      yield* [test.than, test.than + filler, test.than.slice(0, -1)];
  yield* FILLERS;
  for (const { excluded } of domains)
    for (const text of [...excluded].slice(0, 3)) yield text + filler;
}

/** What is known of the text, of what it is changed to, and of texts that it has to do with. */
function domainsAround(
  subject: TextSubject,
  knowledge: Knowledge,
): TextDomain[] {
  const domains = [knowledge.texts(subject)];
  for (const tied of knowledge.relatedTo(subject.key))
    if (tied.what === "changed")
      domains.push(...domainsAround(tied, knowledge));
    else if (tied.what === "relation" && knowledge.truth(tied) === true) {
      const other = tied.left.key === subject.key ? tied.right : tied.left;
      domains.push(knowledge.texts(other));
    }
  return domains;
}

/** What people would write there. */
function plainTexts(subject: TextSubject): readonly string[] {
  if (subject.what === "field")
    return {
      userAgent: ["", "Mozilla/5.0"],
      sdkPlatform: ["js", "android", "ios", "unknown"],
      sdkVersion: ["", "3.0.0"],
      appPackageName: ["", "com.example.app"],
    }[subject.field];
  const isOrigin =
    "header" in subject && /^(?:origin|referer)$/i.test(subject.header);
  return isOrigin ? ["https://other.example"] : ["other"];
}

function shortestLength(subject: TextSubject, knowledge: Knowledge): number {
  const lengths = knowledge
    .relatedTo(subject.key)
    .flatMap((tied) =>
      tied.what === "length" ? [knowledge.numbers(tied)[0]?.[0] ?? 0n] : [],
    );
  const shortest = lengths.reduce((a, b) => (a > b ? a : b), 0n);
  return shortest < 1_000n ? Number(shortest) : 0;
}

function fillerFor(
  failed: readonly TextTest[],
  domains: readonly TextDomain[],
): string {
  const isSought = (filler: string) =>
    failed.some(
      (test) => "part" in test && test.part.toLowerCase().includes(filler),
    ) || domains.some((domain) => domain.excluded.has(filler));
  return FILLERS.find((filler) => !isSought(filler)) ?? "\u2603";
}

/** What a text has to have, from its start to its end. */
interface Pieces {
  readonly start: string;
  readonly middle: readonly string[];
  readonly end: string;
}

function piecesOf(passed: readonly TextTest[]): Pieces[] {
  const parts = (kind: string) =>
    passed.flatMap((test) =>
      "part" in test && test.kind === kind ? [test.part] : [],
    );
  const longest = (texts: readonly string[]) =>
    texts.reduce((a, b) => (b.length > a.length ? b : a), "");
  const [start, end] = [
    longest(parts("startsWith")),
    longest(parts("endsWith")),
  ];
  const middle = parts("contains").filter(
    (part) => !start.includes(part) && !end.includes(part),
  );
  return samplesOf(passed).map((samples) => ({
    start: longest([
      start,
      ...samples.filter((s) => s.atStart).map((s) => s.text),
    ]),
    middle: [
      ...middle,
      ...samples.filter((s) => !s.atStart && !s.atEnd).map((s) => s.text),
    ],
    end: longest([
      end,
      ...samples.filter((s) => s.atEnd && !s.atStart).map((s) => s.text),
    ]),
  }));
}

/** Combinations of one text for each pattern. */
function samplesOf(passed: readonly TextTest[]): PatternText[][] {
  let combinations: PatternText[][] = [[]];
  for (const test of passed) {
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
