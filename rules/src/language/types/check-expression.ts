import { assertNever } from "../../assert-never";
import { parseNetwork } from "../request/ip-address";
import {
  fieldNamed,
  functionsOf,
  binaryOperators,
  isFieldGroup,
  namesUnder,
  rowOf,
  valueFunctions,
} from "../tables/lookup";
import { FIELDS } from "../tables/fields";
import { spelledHere } from "../tables/other-spellings";
import { readPattern } from "../regex/pattern";
import {
  type Expression,
  type Node,
  type NodeOf,
  postOrder,
} from "../syntax/ast";
import { parseExpression } from "../syntax/parse-expression";
import {
  type ExpressionProblem,
  notSupported,
  problemAt,
  type Span,
} from "../syntax/problem";
/** An expression that passed the type check: its evaluation meets no value of a wrong type. */
export interface CheckedExpression extends Expression {
  readonly types: ReadonlyMap<Node, ValueType>;
}

/**
 * Parses and type-checks an expression of the rule language: expr-lang 1.17.8
 * with a boolean result, as far as docs/contract.md, "Expression language", and
 * docs/assumptions.md, A38, go. The problems are the first mistake in the grammar
 * or, if there is none, all mistakes in the types, in the order of the source.
 */
export function checkExpression(
  source: string,
):
  | { ok: true; expression: CheckedExpression }
  | { ok: false; problems: ExpressionProblem[] } {
  const parsed = parseExpression(source);
  return parsed.ok
    ? checkTypes(parsed.expression)
    : { ok: false, problems: [parsed.error] };
}

/** Type-checks an expression that is parsed already. */
export function checkTypes(
  parsed: Expression,
): ReturnType<typeof checkExpression> {
  const { types, problems } = new Checker(parsed);
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, expression: { ...parsed, types } };
}

/**
 * A node of an expression, or one made of its nodes, as an expression of its own. Places
 * still count in the source of the whole expression. Undefined if the node is not boolean
 * or needs what stands around it.
 */
export function partOfExpression(
  whole: CheckedExpression,
  root: Node,
): CheckedExpression | undefined {
  const checked = checkTypes({ ...whole, root });
  return checked.ok ? checked.expression : undefined;
}

const MAX_PROBLEMS = 100;

class Checker {
  readonly types = new Map<Node, ValueType>();
  readonly problems: ExpressionProblem[] = [];

  constructor(readonly expression: Expression) {
    const { root } = expression;
    for (const { node, around } of postOrder(root))
      this.types.set(node, this.#typeOf(node, around));
    this.#want(
      root,
      ["boolean"],
      "an expression has to be true or false, this is",
    );
    this.problems.sort((a, b) => a.offset - b.offset);
  }

  /** The type of a node that was checked before. */
  typeOf(node: Node): ValueType {
    return this.types.get(node) ?? typeOf("broken");
  }

  /**
   * Adds a problem, unless it is only that types do not fit of which one is `broken`
   * already. A group fits nowhere, whatever the other types are.
   * @param types those that do not fit
   * @returns the type `broken`
   */
  #refuse(
    { span }: { readonly span: Span },
    message: string,
    ...types: ValueType[]
  ): ValueType {
    const broken = typeOf("broken");
    if (types.some(({ kind }) => kind === "broken")) return broken;
    const isOpen =
      types.some(({ kind, loose }) => loose || kind === "mixed") &&
      !types.some(({ kind }) => kind === "group");
    const whole = isOpen ? `${message}; ${notSupported("it")}` : message;
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(problemAt(this.expression.source, span, whole));
    return broken;
  }

  #unsupported(node: Node, what: string, hint = ""): ValueType {
    return this.#refuse(node, notSupported(what) + hint);
  }

  /**
   * Checks that a node has one of some kinds.
   * @param says begins the message, which ends in the type that the node has instead
   * @param others types that the node does not fit if it has another kind
   * @returns the type of the node; `broken` if it has another kind
   */
  #want(
    node: Node,
    kinds: readonly ValueKind[],
    says: string,
    ...others: ValueType[]
  ): ValueType {
    const type = this.typeOf(node);
    if (kinds.includes(type.kind)) return type;
    const hint =
      type.kind === "list" || type.kind === "ip"
        ? hintFor(type)
        : membersOf(type, kinds[0]);
    return this.#refuse(
      node,
      `${says} ${nameOf(type)}${hint}`,
      type,
      ...others,
    );
  }

  #wantBoolean(node: Node): void {
    this.#want(node, ["boolean"], "this has to be true or false, but it is");
  }

  #typeOf(node: Node, around: Node | undefined): ValueType {
    switch (node.kind) {
      case "boolean":
      case "string":
      case "integer":
      case "float":
      case "nil":
        return typeOf(node.kind);
      case "name":
        return this.#name(node);
      case "pointer":
        return elementOf(around && this.typeOf(around));
      case "member":
        return this.#member(node);
      case "unary": {
        const { operator, operand } = node;
        if (operator !== "!")
          return this.#want(
            operand,
            NUMBERS,
            `${operator} needs a number, this is`,
          );
        this.#wantBoolean(operand);
        return typeOf("boolean");
      }
      case "binary":
        this.#checkBinary(node);
        return typeOf("boolean");
      case "order":
        this.#checkOrder(node);
        return typeOf("boolean");
      case "logical":
        for (const operand of node.operands) this.#wantBoolean(operand);
        return typeOf("boolean");
      case "coalesce":
        return this.#either(node, node.left, node.right);
      case "conditional": {
        const { condition, consequent = condition, alternate } = node;
        this.#wantBoolean(condition);
        return this.#either(node, consequent, alternate);
      }
      case "list":
        return this.#list(node);
      case "call":
        return this.#call(node);
      case "quantifier":
        return this.#quantifier(node);
      default:
        return assertNever(node);
    }
  }

  #name(node: NodeOf<"name">): ValueType {
    const { name } = node;
    if (isFieldGroup(name)) return typeNamed("group", name);
    if (name === "$env") return this.#unsupported(node, name);
    const known = `; a field begins with ${namesUnder("").join(" or ")}`;
    return this.#refuse(
      node,
      `${name} is not known${spelledHere(name) || known}`,
    );
  }

  #member(node: NodeOf<"member">): ValueType {
    const { property } = node;
    const object = this.typeOf(node.object);
    const key = this.typeOf(property);
    if (object.kind === "broken" || key.kind === "broken")
      return typeOf("broken");
    if (object.kind === "group") return this.#field(object, property);
    if (object.kind === "headers") {
      const { kind, nullable } = this.#want(property, ["string"], HEADER_NAME);
      if (kind === "broken") return typeOf("broken");
      return nullable
        ? this.#unsupported(property, "a name of a header that may be nil")
        : listOf("string", true);
    }
    if (isSignedIndexOfFilter(node))
      return this.#unsupported(node, "an index of filter() with a sign");
    if (object.kind !== "list")
      return this.#refuse(node, `${nameOf(object)} has no elements`, object);
    const index = "an index has to be an integer, this is";
    const { kind } = this.#want(property, ["integer"], index, object);
    return kind === "broken" ? typeOf("broken") : elementOf(object);
  }

  #field({ name: group = "" }: ValueType, property: Node): ValueType {
    const choice = () => `${group} has ${namesUnder(group).join(", ")}`;
    if (property.kind !== "string") return this.#refuse(property, choice());
    const name = `${group}.${property.value}`;
    const field = fieldNamed(name);
    if (field) return typeNamed(field.type, name);
    if (isFieldGroup(name)) return typeNamed("group", name);
    return this.#refuse(property, `${name} is not known; ${choice()}`);
  }

  #either(node: Node, left: Node, right: Node): ValueType {
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    const type = eitherOf(a, b);
    if (!type)
      return this.#unsupported(
        node,
        `a choice between ${nameOf(a)} and ${nameOf(b)}`,
      );
    // expr-lang infers the elements of `['a'] ?? []`, but not those of `c ? ['a'] : []`.
    const isLeft =
      node.kind === "coalesce" &&
      [a, b].every((one) => one.kind === "list" && !one.fromHeaders) &&
      a.element !== "nil";
    return isLeft ? { ...type, loose: a.loose || b.loose } : type;
  }

  #list({ elements }: NodeOf<"list">): ValueType {
    const types = elements.map((element) => this.typeOf(element));
    for (const element of elements) {
      const type = this.typeOf(element);
      const fits = isScalar(type.kind) || type.kind === "nil";
      if (type.kind !== "broken" && (!fits || type.nullable))
        this.#unsupported(element, `${nameOf(type)} within a list`);
    }
    const [first] = types;
    if (!first) return listOf("nil");
    const isUniform =
      first.kind !== "nil" && types.every(({ kind }) => kind === first.kind);
    return {
      ...listOf(isUniform ? first.kind : "mixed"),
      loose: types.some(({ loose }) => loose),
    };
  }

  #checkBinary(node: NodeOf<"binary">): void {
    const { operator } = node;
    const [left, right] = [this.typeOf(node.left), this.typeOf(node.right)];
    if (left.kind === "broken" || right.kind === "broken") return;
    switch (rowOf(binaryOperators, operator).kind) {
      case "equality":
        return this.#checkEqual(node, left, right);
      case "membership":
        return this.#checkIn(node, left, right);
      case "pattern":
        return this.#checkMatches(node);
      case "text":
        if (left.kind !== "string" || right.kind !== "string")
          this.#refuse(
            node,
            `${operator} needs two strings, not ${nameOf(left)} and ${nameOf(right)}${membersOf(left, "string") || membersOf(right, "string") || hintFor(left)}`,
            left,
            right,
          );
    }
  }

  /** Checks that every two neighbours of a chain of order are comparable. */
  #checkOrder(node: NodeOf<"order">): void {
    const types = node.operands.map((operand) => this.typeOf(operand));
    for (const [i, operator] of node.operators.entries()) {
      const [left = typeOf("broken"), right = left] = types.slice(i, i + 2);
      const areOrdered =
        (isNumber(left.kind) && isNumber(right.kind)) ||
        (left.kind === "string" && right.kind === "string");
      if (!areOrdered)
        this.#refuse(
          node,
          `${operator} needs two numbers or two strings, not ${nameOf(left)} and ${nameOf(right)}${hintFor(left, right) || membersOf(right, left.kind)}`,
          left,
          right,
        );
    }
  }

  #checkEqual(node: NodeOf<"binary">, left: ValueType, right: ValueType): void {
    const noValue = [left, right].find(({ kind }) => !canBeValue(kind));
    if (noValue) {
      const other = noValue === left ? right : left;
      const what = `${node.operator} with ${nameOf(noValue)}`;
      this.#unsupported(node, what, hintFor(noValue, other));
    } else if (!areComparable(left.kind, right.kind))
      this.#refuse(
        node,
        `${nameOf(left)} cannot be compared with ${nameOf(right)}${isNot(node.left) ? NOT_BINDS : hintFor(left, right)}`,
        left,
        right,
      );
  }

  #checkIn(node: NodeOf<"binary">, one: ValueType, many: ValueType): void {
    const { left, right } = node;
    const what = nameOf(one);
    if (many.kind === "network") {
      if (one.kind !== "ip")
        this.#refuse(
          left,
          `only an IP address can be in cidr('...'), not ${what}${isNot(left) ? NOT_BINDS : membersOf(one, "ip")}`,
        );
    } else if (one.kind === "ip")
      this.#refuse(
        right,
        `an IP address can only be in cidr('...'), not in ${nameOf(many)}`,
      );
    else if (many.kind === "headers") this.#want(left, ["string"], HEADER_NAME);
    else if (many.kind === "group")
      this.#unsupported(
        right,
        `in with ${nameOf(many)}`,
        membersOf(many, "headers"),
      );
    else if (many.kind !== "list")
      this.#want(
        right,
        ["list"],
        "in needs a list, headers or cidr('...') on its right, not",
        one,
      );
    else if (!canBeValue(one.kind) || one.kind === "list")
      this.#unsupported(
        left,
        `${what} in a list`,
        membersOf(one, many.element),
      );
    else if (!areComparable(one.kind, many.element ?? "nil"))
      this.#refuse(
        node,
        `${what} cannot be in ${many.element === "string" ? nameOf(many) : "a list of other values"}${isNot(left) ? NOT_BINDS : ""}`,
        one,
        many,
      );
  }

  #checkMatches({ left, right }: NodeOf<"binary">): void {
    this.#want(left, ["string"], "matches needs a string on its left, not");
    if (right.kind !== "string") {
      this.#unsupported(right, "a pattern that is not a literal string");
      return;
    }
    const pattern = readPattern(right.value);
    if ("mistake" in pattern) this.#refuse(right, pattern.mistake);
  }

  /** Checks the arguments of a call. @returns the type of the result */
  #call(node: NodeOf<"call">): ValueType {
    const { name, args } = node;
    const row = rowOf(valueFunctions, name);
    const most = row.kind === "text" ? row.mostArguments : 1;
    if (args.length < 1 || args.length > most)
      this.#refuse(
        node,
        `${name}() takes ${most === 1 ? "one argument" : "one or two arguments"}, not ${args.length}`,
      );
    else if (row.kind === "network")
      for (const arg of args) this.#checkNetwork(arg);
    else
      for (const arg of args)
        this.#want(arg, ARGUMENTS[row.kind], `${name}() does not take`);
    return typeOf(RESULTS[row.kind]);
  }

  #checkNetwork(arg: Node): void {
    if (arg.kind !== "string")
      this.#unsupported(arg, "cidr() of anything but a literal string");
    else if (!parseNetwork(arg.value))
      this.#refuse(
        arg,
        `'${arg.value}' is not a network; write an address and how many bits count, such as '203.0.113.0/24'`,
      );
  }

  /** Checks the list and the condition of a quantifier. @returns the type of the result */
  #quantifier({ name, list, condition }: NodeOf<"quantifier">): ValueType {
    const type = this.#want(list, ["list"], `${name}() takes a list, not`);
    if (condition)
      this.#want(
        condition,
        ["boolean"],
        `the condition of ${name}() has to be true or false, this is`,
      );
    else if (type.kind === "list" && type.element !== "boolean")
      this.#unsupported(
        list,
        `count() without a condition, of ${nameOf(type)},`,
      );
    const { result } = rowOf(functionsOf.quantifier, name);
    if (result !== "list") return typeOf(result);
    if (type.kind !== "list") return typeOf("broken");
    return { ...listOf(type.element ?? "nil"), loose: type.loose };
  }
}

const NUMBERS = ["integer", "float"] as const;

/** The message about a header whose name is no string. */
const HEADER_NAME = "a header is looked up by its name, this is";

/** What functions take. */
const ARGUMENTS = {
  text: ["string"],
  length: ["string", "list", "headers"],
} as const;

/** What functions give. */
const RESULTS = {
  length: "integer",
  text: "string",
  network: "network",
} as const;

/** The type of an element of a list; `broken` for another type. */
function elementOf(list: ValueType | undefined): ValueType {
  if (list?.kind !== "list") return typeOf("broken");
  const { element = "nil", loose } = list;
  return { ...typeOf(element === "nil" ? "mixed" : element), loose };
}

/** Whether a node is `filter(...)[-1]` or the like, for which expr-lang 1.17.8 gives wrong results. */
function isSignedIndexOfFilter({
  object,
  property,
}: NodeOf<"member">): boolean {
  return (
    object.kind === "quantifier" &&
    object.name === "filter" &&
    property.kind === "unary"
  );
}

/** The end of a message: what to write instead of an operand of this type, or of an operand that does not fit the other operand. */
function hintFor(type: ValueType, other?: ValueType): string {
  const kinds = [type.kind, other?.kind];
  if (type.kind === "ip") return "; write http.request.ip in cidr('...')";
  if (type.kind === "group") return membersOf(type, other?.kind);
  if (type.kind === "list")
    return "; a header has a list of values: write [0] behind it, or any(list, # == 'value')";
  if (kinds.includes("boolean"))
    return "; write the boolean alone, or behind !";
  if (kinds.includes("string") && kinds.some((kind) => kind && isNumber(kind)))
    return "; put the number in quotes, or compare the length, len(text)";
  return "";
}

/** The end of a message about a group: its members, and its only field of a type that fits. Empty for other types. */
function membersOf({ kind, name = "" }: ValueType, fitting?: ValueKind) {
  if (kind !== "group") return "";
  const [only, ...others] = FIELDS.filter(
    (field) => field.name.startsWith(`${name}.`) && field.type === fitting,
  );
  const meant =
    only && others.length === 0 ? `; did you mean ${only.name}?` : "";
  return `; ${name} has ${namesUnder(name).join(", ")}${meant}`;
}

/** The end of a message about `!a == b`, which is `(!a) == b`. */
const NOT_BINDS =
  "; ! applies only to the next value: write !(...) around the whole";

const isNot = (node: Node) => node.kind === "unary" && node.operator === "!";

function canBeValue(kind: ValueKind): boolean {
  return isScalar(kind) || ["nil", "mixed", "list"].includes(kind);
}

function areComparable(a: ValueKind, b: ValueKind): boolean {
  const isOpen = [a, b].some((kind) => kind === "nil" || kind === "mixed");
  return isOpen || a === b || (isNumber(a) && isNumber(b));
}

/** What kind of value a part of an expression has. */
export type ValueKind =
  | "boolean"
  | "string"
  | "integer"
  | "float"
  | "nil"
  | "list"
  | "headers"
  | "ip"
  | "network"
  /** The beginning of the name of a field, which is no value by itself. */
  | "group"
  /** An element of a list of several kinds. */
  | "mixed"
  /** A node with a problem. It causes no further problems. */
  | "broken";

/** The static type of a part of an expression. */
export interface ValueType {
  readonly kind: ValueKind;
  /** Whether the value may be nil instead of its kind. */
  readonly nullable: boolean;
  /**
   * Whether expr-lang, which infers less here, accepts the value as any type. A wrong
   * type is then an error at evaluation.
   */
  readonly loose: boolean;
  /** The kind of the elements of a list; `nil` for an empty list. */
  readonly element?: ValueKind;
  /** Whether a list has the values of a header: for expr-lang that is another type. */
  readonly fromHeaders?: boolean;
  /** The name of a field or a group. */
  readonly name?: string;
}

/** The type of a kind, neither nullable nor loose. */
export const typeOf = (kind: ValueKind): ValueType => ({
  kind,
  nullable: false,
  loose: false,
});

/** The type of a field or a group. */
const typeNamed = (kind: ValueKind, name: string): ValueType => ({
  ...typeOf(kind),
  name,
});

/** The type of a list with elements of a kind. */
function listOf(element: ValueKind, fromHeaders = false): ValueType {
  return { ...typeOf("list"), element, fromHeaders };
}

/** Whether a kind is a number. */
function isNumber(kind: ValueKind | undefined): boolean {
  return kind === "integer" || kind === "float";
}

/** Whether a kind is one of a boolean, string or number. */
function isScalar(kind: ValueKind): boolean {
  return kind === "boolean" || kind === "string" || isNumber(kind);
}

/**
 * The common type of two values, such as the branches of a condition; undefined if they
 * have none.
 */
function eitherOf(a: ValueType, b: ValueType): ValueType | undefined {
  if (a.kind === "broken" || b.kind === "broken") return typeOf("broken");
  if (a.kind === "nil") return b.kind === "nil" ? b : asNullable(b);
  if (b.kind === "nil") return asNullable(a);
  if (a.kind !== b.kind) return undefined;
  const nullable = a.nullable || b.nullable;
  const loose = a.loose || b.loose;
  if (isScalar(a.kind)) return { ...typeOf(a.kind), nullable, loose };
  if (a.kind !== "list") return undefined;
  const element = eitherElement(a.element, b.element);
  if (element === undefined) return undefined;
  return {
    ...listOf(element, a.fromHeaders && b.fromHeaders),
    nullable,
    loose: loose || a.fromHeaders !== b.fromHeaders || a.element !== b.element,
  };
}

function eitherElement(a: ValueKind | undefined, b: ValueKind | undefined) {
  if (a === b) return a;
  if (a === "nil") return b;
  return b === "nil" ? a : undefined;
}

function asNullable(type: ValueType): ValueType | undefined {
  const canBeNil = isScalar(type.kind) || type.kind === "list";
  return canBeNil ? { ...type, nullable: true } : undefined;
}

/** The name of a type in messages. */
function nameOf({ kind, element, name }: ValueType): string {
  if (kind === "group") return `the group ${name}`;
  return element === "string" ? "a list of strings" : (NAMES[kind] ?? kind);
}

const NAMES: { readonly [Kind in ValueKind]?: string } = {
  boolean: "a boolean",
  string: "a string",
  integer: "a number",
  float: "a number",
  list: "a list",
  headers: "the map of headers",
  ip: "an IP address",
  network: "a network",
};
