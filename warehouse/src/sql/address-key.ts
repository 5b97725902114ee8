import { type Core, nodesOf } from "@devid/rules/internals";
import type { IpNetwork } from "@devid/rules/language";
import type { Dialect } from "./dialects/dialect";

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const OCTETS = `${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}\\z`;
const HEX = "[0-9A-Fa-f:]*";
const GROUP = "([0-9a-f]{4})";

/**
 * A key for an address in a text. Keys sort like addresses: `4` and 8 hexadecimal
 * digits, or `6` and 32. IPv4 within IPv6 has 8 digits, as in the language. The key of
 * a text that is no address begins with `!` or is empty. The engines' own functions for
 * addresses accept different forms, so they are not used.
 */
export function addressKey(dialect: Dialect, ip: string): string {
  const quote = dialect.quoteText.bind(dialect);
  const replace = dialect.replaceMatches.bind(dialect);
  const octet = (index: number) => dialect.splitPart(ip, ".", index);
  const hex = (first: string, between: string) =>
    dialect.hexOfOctets([first, octet(2), octet(3), octet(4)], between);

  // Four octets at the end of an IPv6 address are two groups.
  const firstOctet = replace(octet(1), "\\A.*:", "");
  const groups = dialect.asciiCase(
    `CASE WHEN ${dialect.matches(ip, `\\A${HEX}:${HEX}\\z`)} THEN ${ip}` +
      ` WHEN ${dialect.matches(ip, `\\A${HEX}:${OCTETS}`)} THEN concat(${replace(ip, "[0-9]+\\.[0-9.]+\\z", "")}, ${hex(firstOctet, ":")})` +
      ` ELSE '' END`,
    "lower",
  );
  // `::` stands for as many groups of zeros as are missing from eight, at least one.
  const count = dialect.lengthOf(
    replace(replace(groups, "[0-9a-f]+", "g"), ":", ""),
  );
  const zeros = Array.from(
    { length: 8 },
    (_, n) =>
      `WHEN ${n} THEN ${quote(
        `!${Array<string>(8 - n)
          .fill("0")
          .join(":")}!`,
      )}`,
  ).join(" ");
  // ClickHouse replaces by constants only, so the zeros are moved by a pattern.
  const filled = dialect.replaceText(
    replace(
      replace(
        `concat(${groups}, '#', CASE ${count} ${zeros} ELSE '::' END)`,
        "::([0-9a-f:]*)#(.*)\\z",
        "$2$1",
      ),
      "\\A!|!\\z|#.*\\z",
      "",
    ),
    "!",
    ":",
  );
  // Each group gets four digits.
  const padded = replace(
    replace(filled, "([0-9a-f]+)", "000$1"),
    "[0-9a-f]{0,3}([0-9a-f]{4})(:|\\z)",
    "$1$2",
  );
  const six = replace(
    `concat('!', ${padded})`,
    `\\A!${Array<string>(8).fill(GROUP).join(":")}\\z`,
    "6$1$2$3$4$5$6$7$8",
  );
  const four = replace(six, "\\A60{20}ffff([0-9a-f]{8})\\z", "4$1");
  return `CASE WHEN ${dialect.matches(ip, `\\A${OCTETS}`)} THEN concat('4', ${hex(octet(1), "")}) WHEN ${dialect.contains(ip, quote(":"))} THEN ${four} ELSE '' END`;
}

/** The first and the last key of a network. */
export function keysOfNetwork({
  address,
  bits,
}: IpNetwork): readonly [first: string, last: string] {
  const last = address.map((byte, i) => {
    const fixed = Math.min(8, Math.max(0, bits - i * 8));
    return byte | (0xff >> fixed);
  });
  const key = (bytes: readonly number[]) =>
    (bytes.length === 4 ? "4" : "6") +
    bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [key(address), key(last)];
}

/** The networks in an expression. */
export const networksOf = (core: Core): IpNetwork[] =>
  nodesOf(core).flatMap((node) =>
    node.kind === "network" ? [node.network] : [],
  );

/**
 * A fast condition that every address in some networks meets. It compares the octets
 * and groups that a network fixes, which is much faster than a key. Addresses in an
 * unusual form always meet it.
 */
export function mayBeIn(
  dialect: Dialect,
  ip: string,
  networks: readonly IpNetwork[],
): string {
  const starts = [...new Set(networks.map(startOfAddresses))];
  const pattern = dialect.matches(
    ip,
    `\\A(?:${[...starts, "[:0]"].join("|")})|[A-F]|:0[0-9a-f]`,
  );
  // Comparing takes a tenth of the time of matching a pattern.
  const plain = starts.filter((start) => !start.includes(":"));
  const texts = plain.map((start) => start.replace(/\\(?:z|(\.))/g, "$1"));
  if (
    texts.length > MOST_COMPARED ||
    texts.some((text) => /[^0-9.]/.test(text))
  )
    return pattern;
  // The order of texts tells a start in half the time. `~` sorts after every
  // character of an address.
  const compared = texts.map(
    (text) =>
      `${ip} BETWEEN ${dialect.quoteText(text)} AND ${dialect.quoteText(`${text}~`)}`,
  );
  return `(CASE WHEN ${dialect.contains(ip, dialect.quoteText(":"))} THEN ${pattern} ELSE ${compared.join(" OR ") || "(1 = 0)"} END)`;
}

/** Most starts of addresses that are compared one by one. */
const MOST_COMPARED = 20;

/** A pattern for the start of every address of a network, except for those in IPv6 that begin with zeros or are written in an unusual way. */
function startOfAddresses({ address, bits }: IpNetwork): string {
  if (address.length === 4) {
    const octets = address.slice(0, Math.floor(bits / 8));
    if (octets.length === 0) return "[0-9]+\\.";
    return octets.join("\\.") + (octets.length === 4 ? "\\z" : "\\.");
  }
  // The last two groups may be written as four octets, and zeros may be left out.
  const fixed = groupsOf(address).slice(0, Math.min(6, Math.floor(bits / 16)));
  const zero = fixed.indexOf(0);
  const groups = zero < 0 ? fixed : fixed.slice(0, zero);
  return groups.length === 0
    ? "[0-9a-f]*:"
    : groups.map((group) => `${group.toString(16)}:`).join("") +
        (zero < 0 ? "" : "0?:");
}

const groupsOf = (bytes: readonly number[]) =>
  Array.from(
    { length: bytes.length / 2 },
    (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0),
  );
