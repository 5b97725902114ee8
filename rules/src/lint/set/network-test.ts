import {
  isInNetwork,
  parseNetwork,
  type IpNetwork,
  type Node,
} from "../../language";

/** `http.request.ip in cidr('...')`, or `not in`. */
export interface NetworkTest {
  readonly node: Node;
  /** As it is written. */
  readonly text: string;
  readonly network: IpNetwork;
  readonly negated: boolean;
}

/** The network test that a node is; undefined when it is anything else. */
export function networkTest(node: Node): NetworkTest | undefined {
  if (node.kind !== "binary" || node.operator !== "in") return undefined;
  const { right, negated } = node;
  const [literal] =
    right.kind === "call" && right.name === "cidr" ? right.args : [];
  if (literal?.kind !== "string") return undefined;
  const network = parseNetwork(literal.value);
  return network && { node, text: literal.value, network, negated };
}

/** Whether every address of the narrow network lies in the wide network. */
export function isWithin(narrow: IpNetwork, wide: IpNetwork): boolean {
  return narrow.bits >= wide.bits && isInNetwork(narrow.address, wide);
}
