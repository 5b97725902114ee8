import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { expect } from "vitest";

const FILE = resolve(__dirname, "../golden/sentences.txt");

/** Parts that differ from run to run, and what is recorded in their place. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/\b(ae|tok|wh|tr|ek)_[A-Za-z0-9]{16}\b/g, "{$1}"],
  [/\b127\.0\.0\.1:\d{4,5}\b/g, "{address}"],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}"],
  [/\bsha256:[0-9a-f]{12,64}/g, "sha256:{digest}"],
  [new RegExp(`${tmpdir()}/[^/\\s"]+`, "g"), "{folder}"],
];

type Facts = Readonly<Record<string, string>>;

declare module "vitest" {
  // oxlint-disable-next-line no-explicit-any
  interface Matchers<T = any> {
    /**
     * Asserts that an error, what a function throws, a text, or a list of texts is the sentence that
     * test/golden/sentences.txt records for an ID. A test names each fact that the sentence
     * must have, `{ id: key.id }`; the record has the fact's name in its place. With
     * `UPDATE_GOLDEN=1` in the environment, it writes the sentence instead. The error that a
     * command prints, `devid: ...`, is the sentence of the error. Within an expected value, it is
     * `expect.toSay(id, facts)`.
     */
    toSay(id: string, facts?: Facts): unknown;
  }
}

/** The recorded sentences by ID. In the file, a sentence begins with `== <its ID>`. */
export function readSentences(): Map<string, string> {
  const file = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";
  return new Map(
    file
      .split(/^== /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1, -1)];
      }),
  );
}

/** Writes the sentences, sorted by ID. */
export function writeSentences(sentences: ReadonlyMap<string, string>): void {
  const sorted = [...sentences].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.map(([id, text]) => `== ${id}\n${text}\n`);
  writeFileSync(FILE, parts.join(""));
}

/** The first line with these words, of a text that says more; undefined if none has them. */
export const lineWith = (words: string, text: string): string | undefined =>
  text.split("\n").find((line) => line.includes(words));

/** What was said; undefined if a function threw nothing. */
function textOf(received: unknown): string | undefined {
  if (typeof received === "string")
    return received.replace(/^devid: /, "").replace(/\n$/, "");
  if (received instanceof Error) return received.message;
  if (Array.isArray(received)) return received.join("\n");
  if (typeof received !== "function") return undefined;
  try {
    (received as () => unknown)();
  } catch (error) {
    return textOf(error);
  }
  return undefined;
}

const steady = (text: string) =>
  PASSING.reduce((all, [part, name]) => all.replaceAll(part, name), text);

/** The text with the names of facts in place of the facts; undefined if it lacks one. */
function withoutFacts(text: string, facts: Facts): string | undefined {
  const entries = Object.entries(facts);
  if (!entries.every(([, fact]) => text.includes(fact))) return undefined;
  return entries.reduce((all, [name, fact]) => {
    // A part that always differs from run to run has its own name.
    if (steady(fact) !== fact) return all;
    const whole = new RegExp(`(?<!\\w)${escaped(fact)}(?!\\w)`, "g");
    return all.replaceAll(whole, `{${name}}`);
  }, steady(text));
}

const escaped = (text: string) =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

expect.extend({
  toSay(received: unknown, id: string, facts: Facts = {}) {
    const text = textOf(received);
    if (text === undefined || text === "")
      return { pass: false, message: () => `${id}: nothing was said` };
    const said = withoutFacts(text, facts);
    if (said === undefined) {
      const shown = this.utils.printExpected(facts);
      return { pass: false, message: () => `${id}: no ${shown} in: ${text}` };
    }
    if (process.env.UPDATE_GOLDEN === "1")
      writeSentences(readSentences().set(id, said));
    const recorded = readSentences().get(id);
    return {
      pass: said === recorded,
      message: () => `${id} (else: UPDATE_GOLDEN=1)`,
      actual: said,
      expected: recorded,
    };
  },
});
