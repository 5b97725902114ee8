import { describe, expect, it } from "vitest";
import {
  decide,
  DEFAULT_RETRY,
  delay,
  parseRetryAfter,
  type Decision,
  type Outcome,
} from "../../../sdk/src/http/retry";

const answer = (status: number, retryAfterMs?: number): Outcome => ({
  kind: "answer",
  status,
  retryAfterMs,
});
const failure = (phase: "connect" | "sent", transient = true): Outcome => ({
  kind: "failure",
  phase,
  transient,
});
const policy = {
  maxAttempts: 3,
  budgetMs: 1_000,
  baseDelayMs: 100,
  maxDelayMs: 300,
};

describe("decide", () => {
  const rows: [string, Outcome, Decision, Decision][] = [
    // what came, outcome, idempotent, not idempotent
    ["200", answer(200), "accept", "accept"],
    ["201", answer(201), "accept", "accept"],
    ["204", answer(204), "accept", "accept"],
    ["400", answer(400), "accept", "accept"],
    ["401", answer(401), "accept", "accept"],
    ["404", answer(404), "accept", "accept"],
    ["408", answer(408), "accept", "accept"],
    ["409", answer(409), "accept", "accept"],
    ["429", answer(429), "retry", "retry"],
    ["500", answer(500), "retry", "ambiguous"],
    ["501", answer(501), "accept", "accept"],
    ["502", answer(502), "retry", "ambiguous"],
    ["503", answer(503), "retry", "ambiguous"],
    ["504", answer(504), "retry", "ambiguous"],
    ["no connection", failure("connect"), "retry", "retry"],
    ["no such host", failure("connect", false), "give-up", "give-up"],
    ["cut off", failure("sent"), "retry", "ambiguous"],
    ["broken for good", failure("sent", false), "give-up", "ambiguous"],
  ];

  it.each(rows)("after %s", (_, outcome, idempotent, other) => {
    const call = { attempt: 1, elapsedMs: 0 };
    expect([
      decide(outcome, { ...call, idempotent: true }, policy),
      decide(outcome, { ...call, idempotent: false }, policy),
    ]).toEqual([idempotent, other]);
  });

  const exhausted: [string, Outcome, Decision][] = [
    ["429", answer(429), "accept"],
    ["500", answer(500), "accept"],
    ["no connection", failure("connect"), "give-up"],
    ["cut off", failure("sent"), "give-up"],
  ];

  it.each(exhausted)("%s after the last attempt", (_, outcome, decision) => {
    const call = { idempotent: true, elapsedMs: 0 };
    expect(decide(outcome, { ...call, attempt: 2 }, policy)).toBe("retry");
    expect(decide(outcome, { ...call, attempt: 3 }, policy)).toBe(decision);
    expect(decide(outcome, { ...call, attempt: 4 }, policy)).toBe(decision);
  });

  it.each(exhausted)("%s at the end of the budget", (_, outcome, decision) => {
    const call = { idempotent: true, attempt: 1 };
    expect(decide(outcome, { ...call, elapsedMs: 999 }, policy)).toBe("retry");
    expect(decide(outcome, { ...call, elapsedMs: 1_000 }, policy)).toBe(
      decision,
    );
  });

  it("repeats nothing when one attempt is all there may be", () => {
    const once = { ...policy, maxAttempts: 1 };
    const call = { idempotent: true, attempt: 1, elapsedMs: 0 };
    expect(decide(answer(429), call, once)).toBe("accept");
    expect(decide(failure("connect"), call, once)).toBe("give-up");
  });
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

  it("is never below what the service asked for", () => {
    expect(delay(answer(429, 250), 1, policy, 0)).toBe(250);
    expect(delay(answer(429, 250), 1, policy, 0.999)).toBe(250);
    expect(delay(answer(429, 250), 3, policy, 0.999)).toBe(300);
    expect(delay(answer(503, 60_000), 1, policy, 0)).toBe(60_000);
  });

  it("doubles by default from a quarter of a second up to two", () => {
    expect(
      [1, 2, 3, 4].map((n) => delay(failure("sent"), n, DEFAULT_RETRY, 1)),
    ).toEqual([250, 500, 1_000, 2_000]);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2030-01-01T00:00:00Z");
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["soon", undefined],
    ["0", 0],
    ["3", 3_000],
    [" 3 ", 3_000],
    ["Tue, 01 Jan 2030 00:00:10 GMT", 10_000],
    ["Tue, 01 Jan 2030 00:00:00 GMT", 0],
    ["Mon, 31 Dec 2029 23:59:00 GMT", 0],
  ])("reads %j as %s", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
