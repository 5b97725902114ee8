import { type Core, headerNameOf, nodesOf } from "../core/core";
import { UNKNOWN, type Field, type PartialRuleRequest } from "../language";
import {
  findHeader,
  isCanonicalHeaderName,
} from "../language/request/header-names";
import { quote } from "../language/syntax/print-expression";

/** A part of a request that an expression reads. */
export interface Part {
  /** As expressions read it: `sdk.version`, `http.request.headers['Origin']`. */
  readonly name: string;
  readonly field: Field;
  /** The header; absent for another field, and for all headers at once. */
  readonly header?: string;
}

/** The parts of a request that a node and the nodes under it read, each once, in the order of the source. */
export function partsOf(root: Core): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const node of nodesOf(root)) {
    if (
      node.kind !== "field" &&
      node.kind !== "network" &&
      node.kind !== "header"
    )
      continue;
    const { field } = node;
    const header = node.kind === "header" ? headerNameOf(node) : undefined;
    const name =
      header === undefined ? field.name : `${field.name}[${quote(header)}]`;
    parts.set(name, { name, field, header });
  }
  return [...parts.values()];
}

/**
 * What a request has in a part: the values of a header, the names of all headers, or the
 * value that a field is read from. UNKNOWN if it is not known; undefined if the request
 * lacks it.
 */
export function valueOf(
  request: PartialRuleRequest,
  { field, header }: Part,
): unknown {
  if (field.type !== "headers") return request[field.from];
  const { headers, otherHeaders, notSent } = request;
  if (headers === UNKNOWN) return UNKNOWN;
  const isOpen = otherHeaders === "unknown";
  if (header === undefined)
    return isOpen || Object.values(headers).includes(UNKNOWN)
      ? UNKNOWN
      : Object.keys(headers);
  const values = findHeader(headers, header);
  // A name that is not canonical never matches a sent header.
  const mayBeSent =
    isOpen && !notSent?.has(header) && isCanonicalHeaderName(header);
  return values ?? (mayBeSent ? UNKNOWN : undefined);
}
