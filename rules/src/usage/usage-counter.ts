import type { Event } from "@devid/sdk";
import { checkExpression, UNKNOWN, type PartialRuleRequest } from "../language";
import { eventAsRuleRequest } from "../language/request/event-as-rule-request";
import { iso } from "../replay/period-counter";
import {
  headersNotSent,
  replayRange,
  type ReplayRange,
} from "../replay/replay-options";
import {
  matchOf,
  mayBeEnabled,
  uncertainMatch,
  type Match,
} from "../replay/rule-walk";
import { isKnownRule, type Rule } from "../rule-set/rule";
import { partsRead, valueOfPart, type PartRead } from "./parts-read";
import { termsOfRule } from "./terms-of-rule";
import type {
  FirstAndLast,
  RuleUsage,
  RuleVerdict,
  TermUsage,
  Usage,
} from "./usage";

/** Whose usage is counted, and of which time. */
export interface UsageOptions {
  readonly rules: readonly Rule[];
  /** A Date, an RFC 3339 date-time or Unix milliseconds. */
  readonly start: Date | string | number;
  /** The same; it is after `start` and excluded. */
  readonly end: Date | string | number;
  /** Headers that no client sends: where an event does not tell them, they count as missing. */
  readonly assumeNotSent?: readonly string[];
}

/** Equal requests of past events, told once. */
export interface CountedRequest {
  /** One of the events, of which only what tells the request is read. */
  readonly event: Parameters<typeof eventAsRuleRequest>[0];
  readonly events: number;
  /** Time of the first and of the last of them, Unix milliseconds. */
  readonly first: number;
  readonly last: number;
}

/**
 * Counts what each rule of a set, and each term in it, decided, in memory that does
 * not grow with the number of events.
 * @throws InvalidInputError for a range that ends before it begins
 */
export class UsageCounter {
  readonly range: ReplayRange;
  readonly #rules: readonly CountedRule[];
  readonly #parts: readonly {
    readonly part: PartRead;
    readonly count: Filled;
  }[];
  readonly #notSent: ReadonlySet<string>;
  #events = 0;
  #decidedByNone = 0;

  constructor(options: UsageOptions) {
    this.range = replayRange({ ...options, inForce: [], proposed: [] });
    this.#notSent = headersNotSent(options);
    this.#rules = options.rules.map(countedRule);
    const parts = new Map<string, PartRead>();
    for (const rule of this.#rules)
      for (const part of rule.parts) parts.set(part.name, part);
    this.#parts = [...parts.values()].map((part) => ({
      part,
      count: { told: 0, filled: 0 },
    }));
  }

  /** Counts equal requests; the times of all of them are in the range. */
  add(counted: CountedRequest): void {
    const { event, events } = counted;
    this.#events += events;
    const request: PartialRuleRequest = {
      ...eventAsRuleRequest(event),
      notSent: this.#notSent,
    };
    for (const { part, count } of this.#parts) {
      const value = valueOfPart(request, part);
      if (value === UNKNOWN) continue;
      count.told += events;
      if (value !== undefined && value !== "") count.filled += events;
    }
    let isOpen = false;
    let decidedBy: string | undefined;
    for (const rule of this.#rules) {
      if (rule.isOff) continue;
      const found = rule.match(request);
      const isMatch = "value" in found && found.value;
      const mayMatch = "unknown" in found;
      if (isMatch) rule.matched += events;
      if (decidedBy !== undefined) {
        if (isMatch && !isOpen) countIn(rule.overruledBy, decidedBy, events);
        continue;
      }
      countTerms(rule, request, counted, {
        answer: mayMatch ? "unknown" : isMatch,
        isReached: !isOpen,
      });
      if (isMatch && !isOpen) rule.decided.add(counted);
      else if (isMatch || mayMatch) rule.mayHaveDecided += events;
      if (isMatch) decidedBy = rule.rule.name;
      isOpen ||= mayMatch;
    }
    if (decidedBy === undefined && !isOpen) this.#decidedByNone += events;
  }

  usage(): Usage {
    const { start, end } = this.range;
    const isEmpty = new Set(
      this.#parts
        .filter(({ count }) => this.#events > 0 && count.filled === 0)
        .map(({ part }) => part.name),
    );
    return {
      range: { start: iso(start), end: iso(end) },
      events: this.#events,
      decidedByNone: this.#decidedByNone,
      rules: this.#rules.map((rule) => usageOf(rule, isEmpty)),
      fields: this.#parts.map(({ part, count }) => ({
        field: part.name,
        ...count,
      })),
      assumedNotSent: [...this.#notSent],
    };
  }
}

/** Counts the events of the counter's range, one by one. */
export async function countUsage(
  events: AsyncIterable<Event>,
  counter: UsageCounter,
): Promise<Usage> {
  const { start, end } = counter.range;
  for await (const event of events) {
    const { timestamp } = event;
    if (timestamp < start || timestamp >= end) continue;
    counter.add({ event, events: 1, first: timestamp, last: timestamp });
  }
  return counter.usage();
}

interface Filled {
  told: number;
  filled: number;
}

/** A number of events, and the times of the first and the last one. */
class TimedCount {
  events = 0;
  #first = Infinity;
  #last = -Infinity;

  add({ events, first, last }: CountedRequest): void {
    this.events += events;
    this.#first = Math.min(this.#first, first);
    this.#last = Math.max(this.#last, last);
  }

  get time(): FirstAndLast | undefined {
    if (this.events === 0) return undefined;
    return { first: iso(this.#first), last: iso(this.#last) };
  }
}

interface CountedTerm {
  readonly source: string;
  readonly match: Match;
  readonly isException: boolean;
  readonly count: TimedCount;
  untold: number;
}

interface CountedRule {
  readonly rule: Rule;
  readonly isOff: boolean;
  readonly match: Match;
  readonly parts: readonly PartRead[];
  readonly terms: readonly CountedTerm[];
  /** What the terms say of requests, by what these have in the parts that the rule reads. */
  readonly known: Map<string, readonly TermAnswer[]>;
  readonly decided: TimedCount;
  mayHaveDecided: number;
  matched: number;
  readonly overruledBy: Map<string, number>;
}

function countedRule(rule: Rule): CountedRule {
  const checked = checkExpression(rule.expression);
  const isOff = !mayBeEnabled({ rule, match: NEVER });
  const expression = checked.ok ? checked.expression : undefined;
  const match = expression
    ? matchOf(expression)
    : () => ({ unknown: [`the expression of rule "${rule.name}"`] });
  const terms = expression && !isOff ? termsOfRule(expression) : [];
  return {
    rule,
    isOff,
    match: isKnownRule(rule) ? match : uncertainMatch(rule, match),
    parts: expression && !isOff ? partsRead(expression) : [],
    terms: terms.map(({ expression: term, isException }) => ({
      source: term.source,
      match: matchOf(term),
      isException,
      count: new TimedCount(),
      untold: 0,
    })),
    known: new Map(),
    decided: new TimedCount(),
    mayHaveDecided: 0,
    matched: 0,
    overruledBy: new Map(),
  };
}

const NEVER: Match = () => ({ value: false });

type TermAnswer = boolean | "unknown";

/** Requests whose answers are kept for each rule: most traffic repeats itself. */
const MOST_KNOWN = 10_000;

/**
 * Counts the terms of a rule for requests that reach it. An exception counts where
 * the rule does not match, another term where it matches.
 */
function countTerms(
  rule: CountedRule,
  request: PartialRuleRequest,
  counted: CountedRequest,
  {
    answer,
    isReached,
  }: { readonly answer: TermAnswer; readonly isReached: boolean },
): void {
  const isAsked = ({ isException }: CountedTerm) =>
    answer === "unknown" || answer !== isException;
  if (!rule.terms.some(isAsked)) return;
  const answers = answersOf(rule, request);
  rule.terms.forEach((term, place) => {
    const found = answers[place] ?? false;
    if (found === false || !isAsked(term)) return;
    const isSure = isReached && answer !== "unknown" && found === true;
    if (isSure) term.count.add(counted);
    else term.untold += counted.events;
  });
}

function answersOf(
  { terms, parts, known }: CountedRule,
  request: PartialRuleRequest,
): readonly TermAnswer[] {
  const key = JSON.stringify(
    parts.map((part) => {
      const value = valueOfPart(request, part);
      return value === UNKNOWN ? [] : (value ?? null);
    }),
  );
  const before = known.get(key);
  if (before) return before;
  const answers = terms.map(({ match }): TermAnswer => {
    const found = match(request);
    // Without a term that fails, the rule may say something else.
    return "value" in found ? found.value : "unknown";
  });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, answers);
  return answers;
}

const MOST_OVERRULING = 3;

function usageOf(
  counted: CountedRule,
  isEmpty: ReadonlySet<string>,
): RuleUsage {
  const { rule, decided, mayHaveDecided, matched, parts } = counted;
  const { name, action } = rule;
  const verdict = verdictOf(counted);
  return {
    name,
    action,
    verdict,
    decided: decided.events,
    time: decided.time,
    mayHaveDecided,
    matched,
    overruledBy: [...counted.overruledBy]
      .map(([by, events]) => ({ rule: by, events }))
      .sort((a, b) => b.events - a.events)
      .slice(0, MOST_OVERRULING),
    neverFilled: parts
      .map((part) => part.name)
      .filter((part) => isEmpty.has(part)),
    terms:
      verdict === "decides" || verdict === "cannot tell"
        ? counted.terms.map(termUsage)
        : [],
  };
}

function termUsage({
  source,
  isException,
  count,
  untold,
}: CountedTerm): TermUsage {
  const { events, time } = count;
  return { term: source, isException, events, time, untold };
}

function verdictOf({
  isOff,
  decided,
  mayHaveDecided,
  matched,
}: CountedRule): RuleVerdict {
  if (isOff) return "disabled";
  if (decided.events > 0) return "decides";
  if (mayHaveDecided > 0) return "cannot tell";
  return matched > 0 ? "overruled" : "never";
}

function countIn(counts: Map<string, number>, name: string, by: number) {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
