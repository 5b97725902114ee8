import { Junction, type Formula, type Literal } from "./formula";
import { hasElement } from "./header-formula";
import { includes } from "./ranges";
import { State } from "./state";

/** Formulas that one search looks at, in all; about a tenth of a second. */
const MAX_STEPS = 200_000;
/** Formulas within each other that are looked into at once; what lies deeper is left for later. */
const MAX_DEPTH = 4;
/** States that no request was found for before a search gives up. */
const MAX_MISSES = 20;

/** What a search comes to: `accept` took a state, none is possible, or that is not known. */
export type SearchResult = "accepted" | "none" | "cannot tell";

/** A choice that is open: what was known when it was met, and the parts still to be tried. */
interface Choice {
  readonly mark: number;
  readonly open: readonly Junction[];
  readonly parts: readonly Formula[];
  next: number;
}

/**
 * Goes through the states that a formula leaves possible: what follows is
 * concluded first, then the parts of an `or` are tried one by one. Each state
 * in which nothing is open is shown to `accept`, which says whether it is what
 * was looked for. A state may be impossible without showing it.
 */
export function search(
  formula: Formula,
  accept: (state: State, isOpen: boolean) => boolean,
): SearchResult {
  const state = new State();
  const budget = { left: MAX_STEPS };
  const choices: Choice[] = [];
  let misses = 0;
  let open = conclude(state, [formula], [], budget);
  for (;;) {
    if (budget.left <= 0) return "cannot tell";
    if (open && open.length > 0) {
      // With luck what is open is met, too.
      if (isPowerOfTwo(choices.length + 1) && accept(state, true))
        return "accepted";
      const [first, ...rest] = open;
      if (first)
        choices.push({
          mark: state.mark(),
          open: rest,
          parts: first.parts,
          next: 0,
        });
    } else if (open) {
      if (accept(state, false)) return "accepted";
      if (++misses >= MAX_MISSES) return "cannot tell";
    }
    // The next part of the choice that was met last.
    let choice = choices.at(-1);
    while (choice && choice.next >= choice.parts.length) {
      choices.pop();
      state.undo(choice.mark);
      choice = choices.at(-1);
    }
    if (!choice) return misses > 0 ? "cannot tell" : "none";
    state.undo(choice.mark);
    const { parts, next } = choice;
    choice.next++;
    const chosen = parts[next];
    // What was tried before does not hold here: no state is met twice.
    const tried = parts.slice(0, next).filter(isSimple);
    if (chosen)
      open = conclude(
        state,
        [chosen, ...tried.map((part) => part.opposite)],
        choice.open,
        budget,
      );
  }
}

/**
 * Takes formulas as given and concludes what follows. Answers what stays open,
 * the shortest first, or undefined where it is impossible.
 */
function conclude(
  state: State,
  given: readonly Formula[],
  open: readonly Junction[],
  budget: { left: number },
): Junction[] | undefined {
  const todo = [...given].reverse();
  const changed = new Set<string>();
  let left = open;
  let added: Junction[] = [];
  do {
    changed.clear();
    for (let one = todo.pop(); one; one = todo.pop()) {
      budget.left--;
      switch (one.kind) {
        case "constant":
          if (!one.value) return undefined;
          break;
        case "text":
        case "number":
          if (!state.assume(one)) return undefined;
          changed.add(one.subject.key);
          todo.push(...consequencesOf(one));
          break;
        case "and":
          todo.push(...[...one.parts].reverse());
          break;
        case "or":
          added.push(one);
      }
    }
    const still: Junction[] = [];
    const old = left.length;
    for (const [index, one] of [...left, ...added].entries()) {
      if (index < old && !isAbout(one, changed)) {
        still.push(one);
        continue;
      }
      const parts: Formula[] = [];
      let isMet = false;
      for (const part of one.parts) {
        const said = says(state, part, 0, budget);
        isMet = said === true;
        if (isMet) break;
        if (said === undefined) parts.push(part);
      }
      if (isMet) continue;
      const [first] = parts;
      if (!first) return undefined;
      if (parts.length === 1) todo.push(first);
      else
        still.push(
          parts.length === one.parts.length ? one : new Junction("or", parts),
        );
    }
    left = still;
    added = [];
  } while (todo.length > 0 && budget.left > 0);
  return [...left].sort((a, b) => a.parts.length - b.parts.length);
}

const subjects = new WeakMap<Formula, ReadonlySet<string> | "many">();

/** Subjects of one formula that are told apart. */
const MAX_SUBJECTS = 16;

/** Whether a formula is about any of some subjects; so for one that is about many. */
function isAbout(formula: Formula, keys: ReadonlySet<string>): boolean {
  const own = subjectsOf(formula, 0);
  if (own === "many") return true;
  for (const key of own) if (keys.has(key)) return true;
  return false;
}

function subjectsOf(
  formula: Formula,
  depth: number,
): ReadonlySet<string> | "many" {
  const known = subjects.get(formula);
  if (known) return known;
  let found: Set<string> | "many" = new Set();
  if (formula.kind === "text" || formula.kind === "number")
    found.add(formula.subject.key);
  else if (formula.kind !== "constant")
    for (const part of formula.parts) {
      const of = depth < MAX_DEPTH ? subjectsOf(part, depth + 1) : "many";
      if (of === "many" || found.size + of.size > MAX_SUBJECTS) {
        found = "many";
        break;
      }
      for (const key of of) found.add(key);
    }
  subjects.set(formula, found);
  return found;
}

/** A value that meets a condition is there, and meets it. */
function consequencesOf(literal: Literal): Formula[] {
  if (literal.kind !== "number" || literal.subject.what !== "exists") return [];
  if (includes(literal.within, 0n)) return [];
  const { header, some } = literal.subject.condition;
  return [some, hasElement(header, 0n)];
}

/** What a state says of a formula; undefined where that is open, or deep. */
function says(
  state: State,
  formula: Formula,
  depth: number,
  budget: { left: number },
): boolean | undefined {
  budget.left--;
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "text":
    case "number":
      return state.says(formula);
    case "and":
    case "or": {
      if (depth >= MAX_DEPTH) return undefined;
      const deciding = formula.kind === "or";
      let isKnown = true;
      for (const part of formula.parts) {
        const said = says(state, part, depth + 1, budget);
        if (said === deciding) return deciding;
        if (said === undefined) isKnown = false;
      }
      return isKnown ? !deciding : undefined;
    }
  }
}

const isPowerOfTwo = (n: number) => (n & (n - 1)) === 0;

const isSimple = (formula: Formula): formula is Literal =>
  formula.kind === "text" || formula.kind === "number";
