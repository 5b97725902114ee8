import type { Node } from "../syntax/ast";
import { fieldNamed, type Field } from "../fields";
import { findHeader } from "../header-names";
import { postOrder } from "../syntax/post-order";
import { quote } from "../syntax/print-expression";
import { UNKNOWN, type PartialRuleRequest } from "../rule-request";
import type { ValueType } from "../types/value-type";

/** What a part of an expression reads of a request. */
export interface Needs {
  /** The names of what it reads and the request does not tell, in the source's order. */
  readonly unknownIn: (request: PartialRuleRequest) => string[];
  /** Whether its evaluation may fail; no for what certainly does not. */
  readonly canFail: boolean;
}

/** What a node and all under it read. */
export function needsOf(root: Node, typeOf: (node: Node) => ValueType): Needs {
  const nodes = postOrder(root).map(({ node }) => node);
  const headerNames = new Map<Node, string>();
  for (const node of nodes) {
    if (node.kind === "member" && node.property.kind === "string")
      headerNames.set(node.object, node.property.value);
    if (node.kind === "binary" && node.operator === "in")
      if (node.left.kind === "string")
        headerNames.set(node.right, node.left.value);
  }
  const reads = nodes.flatMap((node) => {
    const field = fieldNamed(typeOf(node).name ?? "");
    return field ? [{ field, header: headerNames.get(node) }] : [];
  });
  return {
    unknownIn: (request) => [
      ...new Set(reads.flatMap((read) => unknownOf(request, read))),
    ],
    canFail: nodes.some(
      (node) =>
        typeOf(node).nullable ||
        (node.kind === "member" && typeOf(node.object).kind === "list"),
    ),
  };
}

function unknownOf(
  request: PartialRuleRequest,
  { field, header }: { field: Field; header: string | undefined },
): string[] {
  if (field.type !== "headers")
    return request[field.from] === UNKNOWN ? [field.name] : [];
  const { headers, otherHeaders } = request;
  const areOthersUnknown = otherHeaders === "unknown" || headers === UNKNOWN;
  if (header === undefined) {
    const isKnown =
      !areOthersUnknown && !Object.values(headers).includes(UNKNOWN);
    return isKnown ? [] : [field.name];
  }
  const values = headers === UNKNOWN ? undefined : findHeader(headers, header);
  const isKnown = values === undefined ? !areOthersUnknown : values !== UNKNOWN;
  return isKnown ? [] : [`${field.name}[${quote(header)}]`];
}
