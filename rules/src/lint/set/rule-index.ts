import type { Budget } from "../../budget";
import {
  FIELDS,
  parseIp,
  type CheckedExpression,
  type IpAddress,
  type RuleRequest,
} from "../../language";
import { type Core, headerNameOf, literalTextOf } from "../../core/core";
import { coreOf } from "../../core/lower";
import { compileCore } from "../../eval/compile-expression";
import { readsOf } from "../../eval/evaluate-partly";
import { foldedText, textInMatches } from "../../language/regex/pattern-texts";

/** A request without anything. */
export const EMPTY: RuleRequest = { headers: {} };

/**
 * Something that a rule needs to match: that a part of the request (a field, a header,
 * or all headers) has a text. Without a text, the part only has to differ from that of
 * the empty request.
 */
interface Need {
  readonly part: string;
  /** The whole text of the part. */
  readonly value?: string;
  /** An ASCII text that the part contains, as `foldedText` has it; not empty. */
  readonly fragment?: string;
}

/** The work of deriving the needs of a node, in units of a budget. */
const WORK_OF_NODE = 20;

/** Places of rules, in order, by a text. */
type Places = Map<string, number[]>;

/**
 * Finds the rules that may match a request, so that the others need not be evaluated:
 * most rules compare one part of the request with a text.
 */
export class RuleIndex {
  /** The rules that may match any request. */
  readonly #anywhere: number[] = [];
  /** The rules that may match if a part differs from the empty request. */
  readonly #byPart: Places = new Map();
  readonly #byValue = new Map<string, Places>();
  /** By part, and by the length of the fragment. */
  readonly #byFragment = new Map<string, Map<number, Places>>();

  /** @throws BudgetSpentError */
  constructor(expressions: readonly CheckedExpression[], budget?: Budget) {
    for (const [place, expression] of expressions.entries()) {
      budget?.spend(expression.types.size * WORK_OF_NODE);
      const needs = needed(coreOf(expression));
      if (!needs) this.#anywhere.push(place);
      for (const need of needs ?? []) this.#add(need, place);
    }
  }

  #add({ part, value, fragment }: Need, place: number): void {
    if (value !== undefined)
      append(under(this.#byValue, part, newPlaces), value, place);
    else if (fragment === undefined) append(this.#byPart, part, place);
    else {
      const byLength = under(this.#byFragment, part, newLengths);
      append(under(byLength, fragment.length, newPlaces), fragment, place);
    }
  }

  /**
   * The places from `first` to `last` of the rules that may match a request, in
   * order; every rule that matches is among them.
   */
  placesFor(
    request: RuleRequest,
    first: number,
    last: number,
  ): readonly number[] {
    const near: (readonly number[])[] = [];
    const add = (list: readonly number[] | undefined) => {
      if (!list) return;
      const part = list.slice(placeOf(list, first), placeOf(list, last + 1));
      if (part.length > 0) near.push(part);
    };
    add(this.#anywhere);
    for (const { part, values } of partsOf(request)) {
      add(this.#byPart.get(part));
      const byValue = this.#byValue.get(part);
      const byLength = this.#byFragment.get(part);
      for (const value of values) {
        add(byValue?.get(value));
        const folded = byLength ? foldedText(value) : "";
        for (const [length, places] of byLength ?? [])
          for (let i = 0; i + length <= folded.length; i++)
            add(places.get(folded.slice(i, i + length)));
      }
    }
    const [one = [], ...others] = near;
    if (others.length === 0) return one;
    const places = one.concat(...others).sort((a, b) => a - b);
    return places.filter((place, i) => place !== places[i - 1]);
  }
}

/** The index of the first number of a sorted list that is not smaller. */
function placeOf(list: readonly number[], least: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function append(lists: Places, key: string, place: number): void {
  const list = lists.get(key);
  if (list?.at(-1) === place) return;
  if (list) list.push(place);
  else lists.set(key, [place]);
}

const newPlaces = (): Places => new Map();
const newLengths = (): Map<number, Places> => new Map();

function under<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Longest fragment that is looked up. */
const FRAGMENT_LENGTH = 16;

const HEADERS_FIELD = "http.request.headers";
const IP_FIELD = "http.request.ip";
const HEADER = "header ";
const headerPart = (name: string) => `${HEADER}${name}`;

const SIMPLE_FIELDS = FIELDS.filter(({ type }) => type !== "headers").map(
  ({ name, type, read }) => ({ name, type, read, inEmpty: read(EMPTY) }),
);

/** The parts of a request that differ from the empty request, with their values. */
function partsOf(
  request: RuleRequest,
): { readonly part: string; readonly values: readonly string[] }[] {
  const headers = Object.entries(request.headers);
  return [
    ...headers.map(([name, values]) => ({ part: headerPart(name), values })),
    ...(headers.length > 0 ? [{ part: HEADERS_FIELD, values: [] }] : []),
    ...SIMPLE_FIELDS.flatMap(({ name, type, read, inEmpty }) => {
      const value = read(request);
      if (value === inEmpty || typeof value === "boolean")
        return value === inEmpty ? [] : [{ part: name, values: [] }];
      const text = String(value);
      const values = type === "ip" ? networksOf(parseIp(text)) : [text];
      return [{ part: name, values }];
    }),
  ];
}

/** The lengths, in bytes, of the address prefixes by which networks are looked up. */
const NETWORK_BYTES = [8, 6, 4, 3, 2, 1];

function networksOf(address: IpAddress | undefined): string[] {
  return NETWORK_BYTES.map((bytes) => networkText(address ?? [], bytes));
}

function networkText(address: IpAddress, bytes: number): string {
  const family = address.length;
  return `${family}: ${address.slice(0, bytes).join(".")}`;
}

/**
 * The needs of an expression or subexpression: if it is true, at least one of them is
 * met. Undefined if it may be true for any request.
 */
function needed(node: Core): readonly Need[] | undefined {
  if (node.kind === "logical") {
    const all = node.operands.map(needed);
    if (!node.decides) return closest(all);
    const some = all.flatMap((needs) => needs ?? []);
    return all.includes(undefined) ? undefined : some;
  }
  const result = compileCore(node).evaluate(EMPTY);
  if ("value" in result && result.value) return undefined;
  const network = node.kind === "network" ? node.network : undefined;
  const bytes = NETWORK_BYTES.find(
    (count) => network && network.bits >= 8 * count,
  );
  if (network && bytes !== undefined)
    return [{ part: IP_FIELD, value: networkText(network.address, bytes) }];
  return (
    textsNeeded(node) ??
    readsOf(node).map(({ field, header }) => ({
      part: header === undefined ? field.name : headerPart(header),
    }))
  );
}

/** The needs that the fewest requests meet. */
function closest(
  all: readonly (readonly Need[] | undefined)[],
): readonly Need[] | undefined {
  const widthOf = (needs: readonly Need[]) =>
    needs.reduce((most, need) => Math.max(most, widthOfNeed(need)), 0);
  return all
    .filter((needs) => needs !== undefined)
    .toSorted((a, b) => widthOf(a) - widthOf(b))[0];
}

/** How many requests meet a need, compared with others. */
function widthOfNeed({ part, value, fragment }: Need): number {
  if (value !== undefined) return 1;
  if (fragment !== undefined) return 2;
  return part.startsWith(HEADER) ? 3 : 4;
}

/** The needs of a comparison with texts: `field == 'a'`, `header[0] contains 'a'`, `any(header, # in ['a', 'b'])`. */
function textsNeeded(node: Core): Need[] | undefined {
  const header =
    node.kind === "some" && node.wanted ? headerNameOf(node.list) : undefined;
  if (node.kind === "some" && header !== undefined)
    return comparison(node.condition, ({ kind }) =>
      kind === "pointer" ? headerPart(header) : undefined,
    );
  return comparison(node, (side) => {
    const read = side.kind === "element" ? headerNameOf(side.list) : undefined;
    if (read !== undefined) return headerPart(read);
    const field = side.kind === "field" ? side.field : undefined;
    return field?.type === "string" ? field.name : undefined;
  });
}

/** The need of a part that contains a text. Only the ASCII characters at the start of the text are looked up. */
function contained(
  part: string | undefined,
  text: string | undefined,
): Need[] | undefined {
  const [fragment = ""] = /^[\0-\x7f]*/.exec(text ?? "") ?? [];
  return part === undefined || fragment === ""
    ? undefined
    : [{ part, fragment: foldedText(fragment.slice(0, FRAGMENT_LENGTH)) }];
}

/** The needs of one comparison; `partOf` returns the part that a side of it reads. */
function comparison(
  node: Core,
  partOf: (side: Core) => string | undefined,
): Need[] | undefined {
  switch (node.kind) {
    case "equal": {
      const { left, right } = node;
      const [text, other] =
        literalTextOf(left) === undefined ? [right, left] : [left, right];
      const value = literalTextOf(text);
      const part = partOf(other);
      return value === undefined || part === undefined
        ? undefined
        : [{ part, value }];
    }
    case "in": {
      const part = partOf(node.needle);
      const elements = node.list.kind === "list" ? node.list.elements : [node];
      const texts = elements.flatMap((each) => literalTextOf(each) ?? []);
      return part === undefined || texts.length < elements.length
        ? undefined
        : texts.map((value) => ({ part, value }));
    }
    case "text": {
      const part = partOf(node.left);
      const text = literalTextOf(node.right);
      // The left text has to contain the right one.
      return node.operator.symbolic?.part ? contained(part, text) : undefined;
    }
    case "matches":
      return contained(partOf(node.text), textInMatches(node.pattern));
    default:
      return undefined;
  }
}
