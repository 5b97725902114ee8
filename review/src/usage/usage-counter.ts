import type { Event } from "@devid/sdk";
import {
  checkExpression,
  printExpression,
  type CheckedExpression,
  type PartialRuleRequest,
  UNKNOWN,
} from "@devid/rules/language";
import {
  groupOf,
  type CountedEvents,
  type EventGroup,
} from "../replay/event-group";
import { iso } from "../replay/period-counter";
import { RowCounter } from "../replay/row-counts";
import {
  headersNotSent,
  replayRange,
  type ReplayOptions,
  type ReplayRange,
} from "../replay/replay-options";
import {
  coreOf,
  isKnownRule,
  type Match,
  matchOf,
  partsOf,
  type Part,
  valueOf,
} from "@devid/rules/internals";
import { type Rule } from "@devid/rules";
import { termsOfRule } from "./terms-of-rule";
import type {
  FirstAndLast,
  RuleUsage,
  RuleVerdict,
  TermUsage,
  Usage,
} from "./usage";

/** The rules whose usage is counted, and the time range. */
export interface UsageOptions extends Pick<
  ReplayOptions,
  "start" | "end" | "assumeNotSent"
> {
  readonly rules: readonly Rule[];
}
/**
 * Counts the events that each rule of a set, and each term of a rule, decided. Memory
 * does not grow with the number of events.
 * @throws InvalidInputError for a range that ends before it begins
 */
export class UsageCounter {
  readonly range: ReplayRange;
  readonly #rules: readonly CountedRule[];
  /** The names of the headers that no client sends. */
  readonly notSent: ReadonlySet<string>;
  readonly #parts: readonly { part: Part; known: number; filled: number }[];
  readonly #rows: RowCounter;
  #events = 0;
  #decidedByNone = 0;

  constructor(options: UsageOptions) {
    this.range = replayRange(options);
    this.notSent = headersNotSent(options);
    this.#rows = new RowCounter(this.range);
    this.#rules = options.rules.map(countedRule);
    const parts = new Map<string, Part>();
    for (const rule of this.#rules)
      for (const part of rule.parts) parts.set(part.name, part);
    this.#parts = [...parts.values()].map((part) => ({
      part,
      known: 0,
      filled: 0,
    }));
  }

  /** The expressions of rules and of terms that `add` evaluates. */
  get expressions(): ReadonlySet<CheckedExpression> {
    return new Set(
      this.#rules.flatMap(({ expression, terms }) =>
        expression ? [expression, ...terms.map((term) => term.expression)] : [],
      ),
    );
  }

  /** The parts of requests that `add` asks about. */
  get parts(): readonly Part[] {
    return this.#parts.map(({ part }) => part);
  }

  /** Counts an event of the range; others are rows that could not be used. */
  addEvent(event: Event): void {
    if (this.#rows.takes(event)) this.add(groupOf(event, this.notSent));
  }

  /** Counts a group of events, whose times are in the range. */
  add({ request, ...counted }: EventGroup): void {
    const { events } = counted;
    this.#events += events;
    for (const field of this.#parts) {
      const value = valueOf(request, field.part);
      if (value === UNKNOWN) continue;
      field.known += events;
      if (isFilled(value)) field.filled += events;
    }
    let isOpen = false;
    let decidedBy: string | undefined;
    for (const rule of this.#rules) {
      if (rule.isOff) continue;
      const answer = this.#matchesOf(rule, request);
      if (answer === true) rule.matched += events;
      if (decidedBy !== undefined) {
        if (answer === true && !isOpen)
          countIn(rule.overruledBy, decidedBy, events);
        continue;
      }
      this.#countTerms(rule, request, counted, {
        answer,
        isReached: !isOpen,
      });
      if (answer === true && !isOpen) rule.decided.add(counted);
      else if (answer !== false) rule.mayHaveDecided += events;
      if (answer === true) decidedBy = rule.rule.name;
      isOpen ||= answer === "unknown";
    }
    if (decidedBy === undefined && !isOpen) this.#decidedByNone += events;
  }

  #matchesOf(
    { rule, match }: CountedRule,
    request: PartialRuleRequest,
  ): Matches {
    const answer = match ? answerOf(match, request) : "unknown";
    if (answer === false || answer === "fails") return false;
    // The action of a rule of a later version is unknown, so its decision is, too.
    return isKnownRule(rule) ? answer : "unknown";
  }

  /**
   * Counts the terms of a rule for requests that reach it. An exception is counted if the
   * rule does not match, and any other term if the rule matches.
   */
  #countTerms(
    { terms }: CountedRule,
    request: PartialRuleRequest,
    counted: CountedEvents,
    {
      answer,
      isReached,
    }: { readonly answer: Matches; readonly isReached: boolean },
  ): void {
    for (const term of terms) {
      if (answer !== "unknown" && answer === term.isException) continue;
      // If a term fails, the rule without that term may decide otherwise.
      const ofTerm = answerOf(term.match, request);
      if (ofTerm === false) continue;
      const isSure = isReached && answer !== "unknown" && ofTerm === true;
      if (isSure) term.count.add(counted);
      else term.undetermined += counted.events;
    }
  }

  usage(): Usage {
    const { start, end } = this.range;
    const { counts: rows } = this.#rows;
    const isEmpty = new Set(
      this.#parts
        .filter(({ filled }) => this.#events > 0 && filled === 0)
        .map(({ part }) => part.name),
    );
    return {
      range: { start: iso(start), end: iso(end) },
      events: this.#events,
      ...(rows && { rows }),
      decidedByNone: this.#decidedByNone,
      rules: this.#rules.map((rule) => usageOf(rule, isEmpty)),
      fields: this.#parts.map(({ part, ...counts }) => ({
        field: part.name,
        ...counts,
      })),
      assumedNotSent: [...this.notSent],
    };
  }
}

/** Counts the events of the counter's range, one by one. */
export async function countUsage(
  events: AsyncIterable<Event>,
  counter: UsageCounter,
): Promise<Usage> {
  for await (const event of events) counter.addEvent(event);
  return counter.usage();
}

/** A number of events, and the times of the first and the last one. */
class TimedCount {
  events = 0;
  #first = Infinity;
  #last = -Infinity;

  add({ events, first, last }: CountedEvents): void {
    this.events += events;
    this.#first = Math.min(this.#first, first);
    this.#last = Math.max(this.#last, last);
  }

  get time(): FirstAndLast | undefined {
    if (this.events === 0) return undefined;
    return { first: iso(this.#first), last: iso(this.#last) };
  }
}

type CountedRule = ReturnType<typeof countedRule>;

/** What is counted of a rule; `expression` is undefined if it has a mistake, or the rule is off. */
function countedRule(rule: Rule) {
  const checked = checkExpression(rule.expression);
  const isOff = rule.status === "disabled";
  const expression = checked.ok && !isOff ? checked.expression : undefined;
  const terms = expression ? termsOfRule(expression) : [];
  return {
    rule,
    isOff,
    expression,
    parts: expression ? partsOf(coreOf(expression)) : [],
    match: expression && matchOf(expression),
    terms: terms.map((term) => ({
      ...term,
      match: matchOf(term.expression),
      count: new TimedCount(),
      undetermined: 0,
    })),
    decided: new TimedCount(),
    mayHaveDecided: 0,
    matched: 0,
    overruledBy: new Map<string, number>(),
  };
}

/** Whether a rule matches, or whether that depends on what is unknown. */
type Matches = boolean | "unknown";

function answerOf(
  match: Match,
  request: PartialRuleRequest,
): Matches | "fails" {
  const found = match(request);
  if ("unknown" in found) return "unknown";
  return "value" in found ? found.value : "fails";
}

/** Whether a value is present and not empty, or one of several is not empty. */
const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((each) => each !== "")
    : value !== undefined && value !== "";

function usageOf(
  counted: CountedRule,
  isEmpty: ReadonlySet<string>,
): RuleUsage {
  const { rule, decided, mayHaveDecided, matched, parts } = counted;
  const { name, action } = rule;
  const verdict = verdictOf(counted);
  return {
    ...{ name, action, verdict },
    decided: decided.events,
    time: decided.time,
    ...{ mayHaveDecided, matched },
    overruledBy: mostOverruling(counted.overruledBy),
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
  expression,
  isException,
  count,
  undetermined,
}: CountedRule["terms"][number]): TermUsage {
  const { events, time } = count;
  const term = printExpression(expression.root);
  return { term, isException, events, time, undetermined };
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

function countIn(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

const MOST_OVERRULING = 3;

/** The rules that decided the most events, the one with the most first. */
const mostOverruling = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([rule, events]) => ({ rule, events }))
    .sort((a, b) => b.events - a.events)
    .slice(0, MOST_OVERRULING);
