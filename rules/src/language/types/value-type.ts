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
export const typeNamed = (kind: ValueKind, name: string): ValueType => ({
  ...typeOf(kind),
  name,
});

/** The type of a list with elements of a kind. */
export function listOf(element: ValueKind, fromHeaders = false): ValueType {
  return { ...typeOf("list"), element, fromHeaders };
}

/** Whether a kind is a number. */
export function isNumber(kind: ValueKind | undefined): boolean {
  return kind === "integer" || kind === "float";
}

/** Whether a kind is one of a boolean, string or number. */
export function isScalar(kind: ValueKind): boolean {
  return kind === "boolean" || kind === "string" || isNumber(kind);
}

/**
 * The common type of two values, such as the branches of a condition; undefined if they
 * have none.
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

/** The name of a type in messages. */
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
