import { lengthOf } from "../language/eval/text";
import type { Knowledge } from "./knowledge";
import { patternTexts, type PatternText } from "./pattern-texts";
import type { TextSubject } from "./subject";
import type { TextDomain } from "./text-domain";
import type { TextTest } from "./text-test";

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
