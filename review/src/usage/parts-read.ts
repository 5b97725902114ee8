import {
  findHeader,
  UNKNOWN,
  type CheckedExpression,
  type PartialRuleRequest,
} from "@devid/rules/language";
import { coreOf, readsOf, type Read, quote } from "@devid/rules/internals";

/** A part of a request that an expression reads, by the name that expressions give it. */
export interface PartRead extends Read {
  readonly name: string;
}

/** The parts of a request that an expression reads, each once. */
export function partsRead(expression: CheckedExpression): PartRead[] {
  const parts = new Map<string, PartRead>();
  for (const read of readsOf(coreOf(expression))) {
    const { field, header } = read;
    const name =
      header === undefined ? field.name : `${field.name}[${quote(header)}]`;
    parts.set(name, { ...read, name });
  }
  return [...parts.values()];
}

/**
 * The value of a part of a request; `UNKNOWN` if it is not known, undefined if the
 * request lacks the part.
 */
export function valueOfPart(
  request: PartialRuleRequest,
  { field, header }: Read,
): unknown {
  if (field.type !== "headers") return request[field.from];
  const { headers, otherHeaders, notSent } = request;
  const isOpen = otherHeaders === "unknown";
  if (headers === UNKNOWN || (header === undefined && isOpen)) return UNKNOWN;
  if (header === undefined) return Object.keys(headers).join();
  const values = findHeader(headers, header);
  if (values === undefined)
    return isOpen && !notSent?.has(header) ? UNKNOWN : undefined;
  return values === UNKNOWN ? values : values.join();
}
