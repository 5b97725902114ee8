import { parseIp, parseNetwork } from "../language";
import type { Lint } from "./lint";

/** Networks that are written with an address inside them. */
export const networkWithHostBits: Lint = {
  code: "network-with-host-bits",
  severity: "note",
  doc: "The address of a network has bits set behind its mask.",
  detail: "They are ignored, so that the network is another than it seems.",
  example: {
    found: [
      {
        name: "office",
        expression: "http.request.ip in cidr('10.0.0.5/8')",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "office",
        expression: "http.request.ip in cidr('10.0.0.0/8')",
        action: "deny",
      },
    ],
  },
  of: "rule",
  find: ({ nodes }) =>
    nodes.flatMap(({ node }) => {
      const [literal] =
        node.kind === "call" && node.name === "cidr" ? node.args : [];
      if (literal?.kind !== "string") return [];
      const network = parseNetwork(literal.value);
      const address = parseIp(literal.value.split("/", 1).join());
      if (!network || !address || address.join() === network.address.join())
        return [];
      const text = `${addressText(network.address)}/${network.bits}`;
      return [
        {
          message: `${literal.value} is the network ${text}: bits behind the mask are ignored`,
          fix: `write '${text}', or '${addressText(address)}/${address.length * 8}' for the one address`,
          span: literal.span,
        },
      ];
    }),
};

/** An address in its usual form. */
function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Buffer.from(bytes).toString("hex").match(/.{4}/g) ?? [];
  // The host of a URL is written in the shortest form.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
