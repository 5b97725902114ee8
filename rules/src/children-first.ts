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
