import { assertNever } from "../assert-never";
import type { NodeOf } from "../language";
import { lengthOf } from "../language/eval/text";
import { addressRanges } from "./addresses";
import { applyChange } from "./apply-change";
import {
  always,
  combine,
  constant,
  FAILS,
  type Meaning,
  type Operand,
} from "./meaning";
import {
  changedSubject,
  HEADERS,
  lengthSubject,
  sizeSubject,
  type Change,
} from "./subject";

/** The meaning of a call, of its arguments' meanings; undefined where it cannot be told. */
export function callMeaning(
  { name }: NodeOf<"call">,
  args: readonly (Meaning | undefined)[],
): Meaning | undefined {
  const known = args.filter((arg) => arg !== undefined);
  if (known.length < args.length) return undefined;
  return combine(known, (value, second) => {
    switch (name) {
      case "cidr":
        return value.kind === "constant" && typeof value.value === "string"
          ? always({ kind: "network", addresses: addressRanges(value.value) })
          : undefined;
      case "len":
        return lengthMeaning(value);
      case "lower":
      case "upper":
        return changedMeaning(value, { name });
      case "trim": {
        const cutset = second?.kind === "constant" ? second.value : second;
        if (cutset === null) return FAILS;
        if (cutset === undefined) return changedMeaning(value, { name });
        return typeof cutset === "string"
          ? changedMeaning(value, { name, cutset })
          : undefined;
      }
      default:
        return assertNever(name);
    }
  });
}

function lengthMeaning(value: Operand): Meaning | undefined {
  switch (value.kind) {
    case "constant":
      if (value.value === null) return FAILS;
      return typeof value.value === "string"
        ? constant(BigInt(lengthOf(value.value)))
        : undefined;
    case "text":
      return always({ kind: "number", subject: lengthSubject(value.subject) });
    case "header":
      return always({ kind: "number", subject: sizeSubject(value.name) });
    case "list":
      return constant(BigInt(value.elements.length));
    case "headers":
      return always({ kind: "number", subject: HEADERS });
    case "filtered":
      return always({ kind: "matches", condition: value.condition });
    default:
      return undefined;
  }
}

function changedMeaning(value: Operand, change: Change): Meaning | undefined {
  if (value.kind === "text")
    return always({
      kind: "text",
      subject: changedSubject(value.subject, change),
    });
  if (value.kind !== "constant") return undefined;
  return typeof value.value === "string"
    ? constant(applyChange(change, value.value))
    : FAILS;
}
