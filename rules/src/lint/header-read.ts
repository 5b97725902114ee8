import type { Node, ValueType } from "../language";
import type { Visit } from "./linted-set";

/** The name of the header that a list of values is, as it is written. */
export function headerOf(
  list: Node | undefined,
  types: ReadonlyMap<Node, ValueType>,
): string | undefined {
  const isHeader =
    list?.kind === "member" &&
    list.property.kind === "string" &&
    types.get(list.object)?.kind === "headers";
  return isHeader && list.property.kind === "string"
    ? list.property.value
    : undefined;
}

/**
 * The name of the header that a node is a value of: `headers['Origin'][0]`, or
 * `#` in `any(headers['Origin'], ...)`; in lower or upper case or trimmed, too.
 */
export function headerReadBy(
  { node, around }: Visit,
  types: ReadonlyMap<Node, ValueType>,
): string | undefined {
  switch (node.kind) {
    case "pointer":
      return headerOf(around, types);
    case "member":
      return headerOf(node.object, types);
    case "call": {
      const [text] = node.args;
      return text && headerReadBy({ node: text, around }, types);
    }
    default:
      return undefined;
  }
}
