/**
 * A node and all nodes under it, each one once, children before their parents and from
 * left to right. A loop instead of a recursion keeps deep trees off the stack.
 */
export function childrenFirst<Node>(
  root: Node,
  childrenOf: (node: Node) => readonly Node[],
): Node[] {
  const found = new Set<Node>();
  const stack = [root];
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    const missing = found.has(node)
      ? []
      : childrenOf(node).filter((child) => !found.has(child));
    if (missing.length > 0) {
      for (const child of missing.reverse()) stack.push(child);
    } else {
      found.add(node);
      stack.pop();
    }
  }
  return [...found];
}

/**
 * A union with one member for each kind of a table: its kind, and what the table says it
 * has.
 * @typeParam Tag the name of the member that says which kind it is
 */
export type KindsOf<Table, Tag extends string = "kind"> = {
  [Kind in keyof Table]: Readonly<Record<Tag, Kind> & Table[Kind]>;
}[keyof Table];

/** The names of the members that hold the nodes under a node, for each kind of node. */
export type ChildTable<Node extends { readonly kind: string }> = {
  readonly [Kind in Node["kind"]]: readonly Exclude<
    keyof Extract<Node, { readonly kind: Kind }>,
    "kind"
  >[];
};

/** The function that lists the nodes directly under a node, in the order of a table. */
export function childrenBy<Node extends { readonly kind: string }>(
  table: ChildTable<Node>,
): (node: Node) => readonly Node[] {
  const members: Readonly<Record<string, readonly PropertyKey[]>> = table;
  return (node) => {
    const names = members[node.kind] ?? [];
    const values = node as unknown as Readonly<
      Record<PropertyKey, Node | readonly Node[] | undefined>
    >;
    const children: Node[] = [];
    for (const name of names) {
      const value = values[name];
      // A kind of node has one list of nodes, or nodes one by one.
      if (Array.isArray(value)) return value as readonly Node[];
      if (value !== undefined) children.push(value as Node);
    }
    return children;
  };
}
