import {
  isKnownRule,
  matchOf,
  RuleExpressions,
  type Match,
  type RuleWalk,
} from "@devid/rules/internals";
import type { Rule } from "@devid/rules";
import type { EventGroup } from "./event-group";
import type { Overruled } from "./impact";

interface NewRule {
  readonly name: string;
  readonly place: number;
  readonly match: Match;
  matched: number;
  readonly overruledBy: Map<string, number>;
}

/** Counts the events that a new rule matches although a rule before it decides them. */
export class OverruledCounter {
  readonly #places: ReadonlyMap<string, number>;
  readonly #rules: readonly NewRule[];

  constructor(
    inForce: readonly Rule[],
    proposed: readonly Rule[],
    expressions = new RuleExpressions(),
  ) {
    this.#places = new Map(proposed.map(({ name }, place) => [name, place]));
    const before = new Set(inForce.map(({ name }) => name));
    this.#rules = proposed.flatMap((rule, place) => {
      const { name, status, expression } = rule;
      const isNew =
        !before.has(name) && status !== "disabled" && isKnownRule(rule);
      const checked = isNew ? expressions.checked(expression) : undefined;
      if (!checked) return [];
      const match = matchOf(checked);
      return { name, place, match, matched: 0, overruledBy: new Map() };
    });
  }

  /** @param walk what the proposed rules decide about the group */
  add({ request, events }: EventGroup, { last, undetermined }: RuleWalk): void {
    if (!last) return;
    const { name } = last.rule;
    const place = this.#places.get(name) ?? Infinity;
    for (const rule of this.#rules) {
      if (rule.place <= place) continue;
      const found = rule.match(request);
      if (!("value" in found) || !found.value) continue;
      rule.matched += events;
      if (undetermined.length === 0) countIn(rule.overruledBy, name, events);
    }
  }

  /** What was counted for each new rule that a rule before it overruled at least once, by its name. */
  overruled(): ReadonlyMap<string, Overruled> {
    return new Map(
      this.#rules
        .filter(({ matched }) => matched > 0)
        .map(({ name, matched, overruledBy }) => [
          name,
          { matched, overruledBy: mostOverruling(overruledBy) },
        ]),
    );
  }
}

export function countIn(
  counts: Map<string, number>,
  name: string,
  by: number,
): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

const MOST_OVERRULING = 3;

/** The rules that decided the most events, the one with the most first. */
export const mostOverruling = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([rule, events]) => ({ rule, events }))
    .sort((a, b) => b.events - a.events)
    .slice(0, MOST_OVERRULING);
