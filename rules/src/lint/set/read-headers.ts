import type { Node, NodeOf, ValueType } from "../../language";

/** The name of the header whose values a list holds, as the expression spells it. */
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

/** As `headerOf`, also with a list that takes the place of a missing header. */
export const headerOrElse = (
  list: Node,
  types: ReadonlyMap<Node, ValueType>,
): string | undefined =>
  headerOf(list.kind === "coalesce" ? list.left : list, types);

/** The name of the header whose values or presence a node reads. */
export function headerNameIn(
  node: Node,
  types: ReadonlyMap<Node, ValueType>,
): NodeOf<"string"> | undefined {
  const name =
    node.kind === "member" && types.get(node.object)?.kind === "headers"
      ? node.property
      : node.kind === "binary" && types.get(node.right)?.kind === "headers"
        ? node.left
        : undefined;
  return name?.kind === "string" ? name : undefined;
}
