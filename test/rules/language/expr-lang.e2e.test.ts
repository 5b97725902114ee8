import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { examples, requests } from "./examples/examples";
import * as random from "./random-expression";
import { request } from "./random-request";
import { literals, networks } from "./random-literals";
import { anyPattern, matchesOf, plainPattern } from "./random-patterns";
import {
  askReference,
  buildReference,
  disagreements,
  reasonToSkip,
  type Case,
} from "./reference";

// For more or other cases: EXPR_LANG_RUNS=50000 EXPR_LANG_SEED=7.
const numRuns = Number(process.env.EXPR_LANG_RUNS ?? 4_000);
const seed = Number(process.env.EXPR_LANG_SEED ?? 20251120);

const reason = reasonToSkip();
const title = "agrees with expr-lang 1.17.8";

describe.skipIf(reason)(
  reason ? `${title} (skipped: ${reason})` : title,
  () => {
    let program: string;
    beforeAll(() => {
      program = buildReference();
    });

    const compare = (cases: fc.Arbitrary<Case>) =>
      disagreements(program, fc.sample(cases, { numRuns, seed }));
    const about = (expression: fc.Arbitrary<string>) =>
      compare(fc.record({ expression, request }));

    test("on the documented language, all of which is supported", () => {
      const result = about(random.documented);
      expect(result.found).toEqual([]);
      expect(result.unsupported).toBe(0);
      expect(result.values).toBeGreaterThan(numRuns / 4);
    });

    test("on the undocumented part that is supported", () => {
      const result = about(random.supported);
      expect(result.found).toEqual([]);
      expect(result.unsupported).toBeLessThan(numRuns / 20);
      expect(result.values).toBeGreaterThan(numRuns / 4);
    });

    test.each([
      ["tokens in any order", about, random.soup],
      ["expressions with a character changed", about, random.damaged],
      ["literals in rare forms", about, literals],
    ])("on %s", (_, ask, expressions) => {
      const result = ask(expressions);
      expect(result.found).toEqual([]);
      expect(result.values).toBeGreaterThan(0);
    });

    test.each([
      ["patterns of several dialects", matchesOf(anyPattern)],
      ["plain patterns", matchesOf(plainPattern)],
      ["networks right and wrong", networks],
    ])("on %s", (_, cases) => {
      const result = compare(cases);
      expect(result.found).toEqual([]);
      expect(result.unsupported).toBe(0);
      expect(result.values).toBeGreaterThan(numRuns / 20);
    });

    test("on the handwritten examples", () => {
      const cases = examples.flatMap(({ expression }) =>
        requests.map((request) => ({ expression, request })),
      );
      expect(disagreements(program, cases).found).toEqual([]);
    });

    test("on which handwritten examples fail", () => {
      const running = examples.filter(({ checks }) => checks);
      requests.forEach((request, i) => {
        const verdicts = askReference(
          program,
          running.map(({ expression }) => ({ expression, request })),
        );
        const early = running.filter(
          (_, n) => verdicts[n]?.stage === "compile",
        );
        expect(early).toEqual([]);
        const failed = verdicts.map(({ error }) => error !== undefined);
        expect(failed).toEqual(
          running.map(({ answers }) => typeof answers[i] === "string"),
        );
      });
    });
  },
);
