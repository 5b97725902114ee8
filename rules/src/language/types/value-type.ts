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
  /** The beginning of a field's name; no value. */
  | "group"
  /** An element of a list of several kinds. */
  | "mixed"
  /** A mistake was reported here already. */
  | "broken";

/** The static type of a part of an expression. */
export interface ValueType {
  readonly kind: ValueKind;
  /** Whether it may be nil where its kind is another. */
  readonly nullable: boolean;
  /**
   * Whether expr-lang, whose inference is weaker here, takes it for anything:
   * what does not fit is then no mistake there, but an error at evaluation.
   */
  readonly loose: boolean;
  /** Of a list: the kind of its elements; `nil` for a list without any. */
  readonly element?: ValueKind;
  /** Of a list: whether it is one of header values, which expr-lang keeps apart. */
  readonly fromHeaders?: boolean;
  /** Of a field or a group: its name. */
  readonly name?: string;
}

const PLAIN = new Map<ValueKind, ValueType>();

/** The type of a kind, neither nullable nor loose. */
export function typeOf(kind: ValueKind): ValueType {
  const known = PLAIN.get(kind);
  const type = known ?? { kind, nullable: false, loose: false };
  if (!known) PLAIN.set(kind, type);
  return type;
}

/** The type of a list with elements of a kind. */
export function listOf(element: ValueKind, fromHeaders = false): ValueType {
  return { ...typeOf("list"), element, fromHeaders };
}

/** Whether a kind is a number. */
export function isNumber(kind: ValueKind | undefined): boolean {
  return kind === "integer" || kind === "float";
}

/** Whether a kind is one that literals have. */
export function isScalar(kind: ValueKind): boolean {
  return kind === "boolean" || kind === "string" || isNumber(kind);
}

/**
 * The type of what is either of two values, as in a condition's branches, or
 * undefined where they have nothing in common.
 */
export function eitherOf(a: ValueType, b: ValueType): ValueType | undefined {
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

/** How a type is called in messages. */
export function nameOf(type: ValueType): string {
  switch (type.kind) {
    case "boolean":
      return "a boolean";
    case "string":
      return "a string";
    case "integer":
    case "float":
      return "a number";
    case "list":
      return type.element === "string" ? "a list of strings" : "a list";
    case "headers":
      return "the map of headers";
    case "ip":
      return "an IP address";
    case "network":
      return "a network";
    case "group":
      return `the group ${type.name}`;
    case "nil":
    case "mixed":
    case "broken":
      return type.kind;
  }
}
