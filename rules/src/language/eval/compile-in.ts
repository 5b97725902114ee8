import type { Node, NodeOf } from "../syntax/ast";
import type { Parts } from "./compile-node";
import { clientIp, type Run } from "./evaluation";
import { findHeader, headerFinder } from "../header-names";
import { isInNetwork, parseNetwork } from "../ip-address";
import { areEqual, type Value } from "./value";

/** `in` as a closure: an address in a network, a name among headers, a value in a list. */
export function compileIn(
  node: NodeOf<"binary">,
  { typeOf, runOf }: Parts,
): Run {
  const { kind } = typeOf(node.right);
  const left = runOf(node.left);
  if (kind === "network") {
    const [literal] = node.right.kind === "call" ? node.right.args : [];
    const network =
      literal?.kind === "string" ? parseNetwork(literal.value) : undefined;
    return ({ request }) => {
      const ip = clientIp(request);
      return !!ip && !!network && isInNetwork(ip, network);
    };
  }
  if (kind === "headers") {
    if (node.left.kind === "string") {
      const find = headerFinder(node.left.value);
      return ({ request }) => find(request.headers) !== undefined;
    }
    return (evaluation) => {
      const name = (left(evaluation) ?? "") as string;
      return findHeader(evaluation.request.headers, name) !== undefined;
    };
  }
  const zero = zeroOf(node, typeOf(node.left).kind);
  const members = textsOf(node.right);
  if (members) return (evaluation) => members.has(left(evaluation) ?? zero);
  const right = runOf(node.right);
  return (evaluation) => {
    const one = left(evaluation);
    const many = right(evaluation);
    const needle = one === null ? zero : one;
    return (
      Array.isArray(many) &&
      many.some((value) => areEqual(value as Value, needle))
    );
  };
}

/** In a list of literals of one kind, expr-lang takes nil for that kind's zero. */
function zeroOf({ right }: NodeOf<"binary">, left: string): Value {
  if (right.kind !== "list" || right.elements.length === 0) return null;
  const isAll = (kind: Node["kind"]) =>
    right.elements.every((element) => element.kind === kind);
  if (isAll("string")) return "";
  return left === "integer" && isAll("integer") ? 0n : null;
}

function textsOf(list: Node): ReadonlySet<Value> | undefined {
  if (list.kind !== "list" || list.elements.length === 0) return undefined;
  const texts = list.elements.map((element) =>
    element.kind === "string" ? element.value : undefined,
  );
  return texts.includes(undefined) ? undefined : new Set(texts);
}
