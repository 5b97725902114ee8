import { isBefore } from "../language/eval/text";
import { keyOfTest, type TextTest } from "./text-test";

type PartTest = Extract<TextTest, { readonly part: string }>;
type OrderTest = Extract<TextTest, { readonly than: string }>;

/** Whether each text that passes one test surely passes another. */
export function implies(one: TextTest, other: TextTest): boolean {
  if (isPart(one))
    return isPart(other)
      ? partImplies(one, other)
      : isOrder(other) && startImplies(one, other);
  if (isOrder(one) && isOrder(other)) return orderImplies(one, other);
  return one.kind === other.kind && keyOfTest(one) === keyOfTest(other);
}

/** Whether surely no text passes both tests. */
export function excludes(one: TextTest, other: TextTest): boolean {
  if (isPart(one) && isPart(other)) return partExcludes(one, other);
  if (isOrder(one) && isOrder(other)) return orderExcludes(one, other);
  if (isPart(one) && isOrder(other)) return startExcludes(one, other);
  return isOrder(one) && isPart(other) && startExcludes(other, one);
}

const isPart = (test: TextTest): test is PartTest => "part" in test;
const isOrder = (test: TextTest): test is OrderTest => "than" in test;

function partImplies(one: PartTest, other: PartTest): boolean {
  if (one.ignoresCase && !other.ignoresCase) return false;
  const [long, short] = other.ignoresCase
    ? [folded(one.part), folded(other.part)]
    : [one.part, other.part];
  switch (other.kind) {
    case "contains":
      return long.includes(short);
    case "startsWith":
      return one.kind === "startsWith" && long.startsWith(short);
    case "endsWith":
      return one.kind === "endsWith" && long.endsWith(short);
  }
}

/** Two beginnings, or two ends, that differ. */
function partExcludes(one: PartTest, other: PartTest): boolean {
  if (one.kind !== other.kind || one.kind === "contains") return false;
  const isExact = !one.ignoresCase && !other.ignoresCase;
  if (!isExact && !(isAscii(one.part) && isAscii(other.part))) return false;
  const [a, b] = isExact
    ? [one.part, other.part]
    : [folded(one.part), folded(other.part)];
  return one.kind === "startsWith"
    ? !a.startsWith(b) && !b.startsWith(a)
    : !a.endsWith(b) && !b.endsWith(a);
}

function orderImplies(one: OrderTest, other: OrderTest): boolean {
  if (one.kind !== other.kind) return false;
  return one.kind === "below"
    ? !isBefore(other.than, one.than)
    : !isBefore(one.than, other.than);
}

function orderExcludes(one: OrderTest, other: OrderTest): boolean {
  if (one.kind === other.kind) return false;
  const [below, above] = one.kind === "below" ? [one, other] : [other, one];
  return !isBefore(above.than, below.than);
}

/** Texts with a beginning are at least that, and each on the same side of what differs from it. */
function startImplies({ kind, part, ignoresCase }: PartTest, other: OrderTest) {
  if (kind !== "startsWith" || ignoresCase) return false;
  return other.kind === "above"
    ? isBefore(other.than, part)
    : isBefore(part, other.than) && !other.than.startsWith(part);
}

function startExcludes(one: PartTest, other: OrderTest): boolean {
  if (one.kind !== "startsWith" || one.ignoresCase) return false;
  return other.kind === "below"
    ? !isBefore(one.part, other.than)
    : isBefore(one.part, other.than) && !other.than.startsWith(one.part);
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Letters of ASCII in lower case; what is equal then is equal without regard to case, too. */
const folded = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
