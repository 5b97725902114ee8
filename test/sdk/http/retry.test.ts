import { describe, expect, it } from "vitest";
import {
  decide,
  DEFAULT_RETRY,
  delay,
  retryAfterMs,
  retryPolicy,
  retryViolations,
  silenceMs,
  type Decision,
  type AttemptResult,
  type RetryPolicy,
} from "../../../sdk/src/http/retry";

const answer = (status: number, retryAfterMs?: number): AttemptResult => ({
  kind: "answer",
  status,
  retryAfterMs,
});
const failure = (
  phase: "connect" | "sent",
  transient = true,
): AttemptResult => ({ kind: "failure", phase, transient });
const policy = {
  ...{ maxAttempts: 3, budgetMs: 1_000 },
  ...{ baseDelayMs: 100, maxDelayMs: 300 },
};

describe("decide", () => {
  const rows: (readonly [string, AttemptResult, Decision, Decision])[] = [
    // name, result, decision if idempotent, decision otherwise
    ...[200, 201, 204, 400, 401, 404, 408, 409, 501].map(
      (status) => [`${status}`, answer(status), "accept", "accept"] as const,
    ),
    ["429", answer(429), "retry", "retry"],
    ...[500, 502, 503, 504].map(
      (status) => [`${status}`, answer(status), "retry", "ambiguous"] as const,
    ),
    ["no connection", failure("connect"), "retry", "retry"],
    ["no such host", failure("connect", false), "give-up", "give-up"],
    ["cut off", failure("sent"), "retry", "ambiguous"],
    ["broken for good", failure("sent", false), "give-up", "ambiguous"],
  ];

  it.each(rows)(
    "gives the right decision after %s",
    (_, result, idempotent, other) => {
      const call = { attempt: 1, elapsedMs: 0 };
      expect([
        decide(result, { ...call, idempotent: true }, policy),
        decide(result, { ...call, idempotent: false }, policy),
      ]).toEqual([idempotent, other]);
    },
  );

  it("repeats a call that came too early, also one that is not idempotent", () => {
    const call = { attempt: 1, elapsedMs: 0, earlyStatuses: [409] };
    for (const idempotent of [true, false])
      expect(decide(answer(409), { ...call, idempotent }, policy)).toBe(
        "retry",
      );
  });

  const exhausted: [string, AttemptResult, Decision][] = [
    ["429", answer(429), "accept"],
    ["500", answer(500), "accept"],
    ["no connection", failure("connect"), "give-up"],
    ["cut off", failure("sent"), "give-up"],
  ];

  it.each(exhausted)(
    "gives the right decision after the last attempt: %s",
    (_, result, decision) => {
      const call = { idempotent: true, elapsedMs: 0 };
      expect(decide(result, { ...call, attempt: 2 }, policy)).toBe("retry");
      expect(decide(result, { ...call, attempt: 3 }, policy)).toBe(decision);
      expect(decide(result, { ...call, attempt: 4 }, policy)).toBe(decision);
    },
  );

  it.each(exhausted)(
    "gives the right decision at the end of the budget: %s",
    (_, result, decision) => {
      const call = { idempotent: true, attempt: 1 };
      expect(decide(result, { ...call, elapsedMs: 999 }, policy)).toBe("retry");
      const late = { ...call, elapsedMs: 1_000 };
      expect(decide(result, late, policy)).toBe(decision);
    },
  );
});

describe("delay", () => {
  it.each([
    // attempt, ceiling
    [1, 100],
    [2, 200],
    [3, 300],
    [4, 300],
    [60, 300],
  ])("after attempt %i lies between 0 and %i ms", (attempt, ceiling) => {
    const at = (random: number) => delay(answer(500), attempt, policy, random);
    expect(at(0)).toBe(0);
    expect(at(0.5)).toBe(ceiling / 2);
    expect(at(0.999_999)).toBe(ceiling);
  });

  it("is at least the time that the service asks for", () => {
    expect(delay(answer(429, 250), 1, policy, 0)).toBe(250);
    expect(delay(answer(429, 250), 1, policy, 0.999)).toBe(250);
    expect(delay(answer(429, 250), 3, policy, 0.999)).toBe(300);
    expect(delay(answer(503, 60_000), 1, policy, 0)).toBe(60_000);
  });

  it("grows after 429 with any jitter", () => {
    const after = (attempt: number, random: number) =>
      delay(answer(429), attempt, policy, random);
    expect([1, 2, 3, 4].map((n) => after(n, 0))).toEqual([50, 100, 150, 150]);
    expect(after(2, 0)).toBeGreaterThanOrEqual(after(1, 0.999_999));
    expect(after(1, 0.5)).toBe(75);
  });

  it.each([0, 0.5, 0.999_999])(
    "allows more than eight 429 in the default budget, with jitter %d",
    (random) => {
      for (const asked of [undefined, 2_000]) {
        let elapsedMs = 0;
        for (let n = 1; n <= 8; n++) {
          elapsedMs += delay(answer(429, asked), n, DEFAULT_RETRY, random);
          expect(elapsedMs).toBeLessThan(DEFAULT_RETRY.budgetMs);
        }
        expect(elapsedMs).toBeGreaterThan(10_000);
      }
    },
  );

  it("doubles by default from a quarter of a second to two seconds", () => {
    expect(
      [1, 2, 3, 4].map((n) => delay(failure("sent"), n, DEFAULT_RETRY, 1)),
    ).toEqual([250, 500, 1_000, 2_000]);
  });
});

describe("retryPolicy", () => {
  it("counts attempts answered with 429 only if maxAttempts was given", () => {
    expect(retryPolicy().countsAll).toBe(false);
    expect(retryPolicy({ budgetMs: 1 }, undefined).countsAll).toBe(false);
    expect(retryPolicy({ maxAttempts: 5 }).countsAll).toBe(true);
    expect(retryPolicy({}, { maxAttempts: 1 })).toMatchObject({
      countsAll: true,
      maxAttempts: 1,
    });
  });

  it("uses the last given value, and ignores undefined", () => {
    const open = { budgetMs: undefined } as unknown as Partial<RetryPolicy>;
    expect(retryPolicy({ budgetMs: 7, baseDelayMs: 1 }, open)).toEqual({
      ...DEFAULT_RETRY,
      budgetMs: 7,
      baseDelayMs: 1,
      countsAll: false,
    });
  });

  it.each([
    [{ maxAttempts: 0 }, "retry.maxAttempts must be a number of at least 1"],
    [{ budgetMs: NaN }, "retry.budgetMs must be a number of at least 0"],
    [{ maxDelayMs: "5" }, "retry.maxDelayMs must be a number of at least 0"],
    [
      { maxAtempts: 3 },
      "retry.maxAtempts is not known; did you mean maxAttempts?",
    ],
    [{ zzz: 3 }, /^retry.zzz is not known; there are maxAttempts, budgetMs/],
    [5, "retry must be an object"],
    [null, "retry must be an object"],
  ])("refuses %j", (change, message) => {
    const [violation, ...others] = retryViolations(change);
    expect(others).toEqual([]);
    const text = `${violation?.property} ${violation?.message}`;
    if (typeof message === "string") expect(text).toBe(message);
    else expect(text).toMatch(message);
  });

  it("accepts valid values", () => {
    expect(retryViolations(DEFAULT_RETRY)).toEqual([]);
    expect(retryViolations({ maxAttempts: undefined })).toEqual([]);
  });
});

describe("silenceMs", () => {
  it.each([
    // attempt, elapsed, share of the budget of 1,000 ms
    [1, 0, 334],
    [2, 340, 334],
    [2, 700, undefined],
    [2, 999, undefined],
    [3, 0, undefined],
  ])("of attempt %i after %i ms is %s", (attempt, elapsedMs, expected) => {
    expect(silenceMs({ attempt, elapsedMs }, policy)).toBe(expected);
  });

  it("has no bound in the attempt whose share ends with the budget", () => {
    const call = { attempt: 2, elapsedMs: 600 };
    const thirds = { ...policy, budgetMs: 900 };
    expect(silenceMs(call, thirds)).toBeUndefined();
    expect(silenceMs({ ...call, elapsedMs: 599 }, thirds)).toBe(300);
  });
});

const date = "Tue, 01 Jan 2030 00:00:00 GMT";
it.each([
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  ["5, 10", undefined],
  ["0", 0],
  ["3", 3_000],
  [" 3 ", 3_000],
  ["9".repeat(23), undefined],
  ["Tue, 01 Jan 2030 00:00:10 GMT", 10_000],
  ["Tue, 01 Jan 2030 00:00:00 GMT", 0],
  ["Mon, 31 Dec 2029 23:59:00 GMT", 0],
])("retryAfterMs reads %j as %s", (value, expected) => {
  expect(retryAfterMs({ "retry-after": value, date })).toBe(expected);
});
