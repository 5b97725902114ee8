import { type Core, nodesOf } from "../core/core";
import type { IpNetwork } from "../language";
import type { Dialect } from "./dialects/dialect";

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const OCTETS = `${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}\\z`;
const HEX = "[0-9A-Fa-f:]*";
const GROUP = "([0-9a-f]{4})";

/**
 * The address that a text says, as a text whose order is that of addresses: `4` and 8
 * hexadecimal digits, or `6` and 32. IPv4 within IPv6 has 8, as for the language. A text
 * that says no address gives one that begins with `!` or is empty. No function of an
 * engine for addresses is used: they differ in what they take, and in what lies in a network.
 */
export function addressKey(dialect: Dialect, ip: string): string {
  const quote = dialect.quoteText.bind(dialect);
  const replace = dialect.replaceMatches.bind(dialect);
  const octet = (index: number) => dialect.splitPart(ip, ".", index);
  const hex = (first: string, between: string) =>
    dialect.hexOfOctets([first, octet(2), octet(3), octet(4)], between);

  // Four octets at the end of an address of IPv6 stand for two groups.
  const firstOctet = replace(octet(1), "\\A.*:", "");
  const groups = dialect.translate(
    `CASE WHEN ${dialect.matches(ip, `\\A${HEX}:${HEX}\\z`)} THEN ${ip}` +
      ` WHEN ${dialect.matches(ip, `\\A${HEX}:${OCTETS}`)} THEN concat(${replace(ip, "[0-9]+\\.[0-9.]+\\z", "")}, ${hex(firstOctet, ":")})` +
      ` ELSE '' END`,
    "ABCDEF",
    "abcdef",
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
  const filled = dialect.replaceText(
    replace(
      dialect.replaceText(groups, "::", `CASE ${count} ${zeros} ELSE '::' END`),
      "\\A!|!\\z",
      "",
    ),
    "!",
    quote(":"),
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

/** The networks that an expression asks about. */
export const networksOf = (core: Core): IpNetwork[] =>
  nodesOf(core).flatMap((node) =>
    node.kind === "network" ? [node.network] : [],
  );

/**
 * A condition of a text without which it lies in none of some networks. It looks at the
 * first 16 bits of IPv4 and at the first 32 bits of IPv6, which takes a tenth of the time
 * of a key or less. A text that is written in an unusual way meets it.
 */
export function mayBeIn(
  dialect: Dialect,
  ip: string,
  networks: readonly IpNetwork[],
): string {
  const [octets, groups] = [
    new Starts(8, ".", spelledOctet),
    new Starts(16, ":", spelledGroup),
  ];
  for (const { address, bits } of networks) {
    const isFour = address.length === 4;
    const numbers = isFour ? address : groupsOf(address);
    (isFour ? octets : groups).add(numbers, bits);
  }
  // IPv4 within IPv6 begins with zeros.
  const isUnusual = `(${dialect.startsWith(ip, "':'")} OR ${dialect.startsWith(ip, "'0'")} OR ${dialect.asciiCase(ip, "lower")} <> ${ip})`;
  return `CASE WHEN ${dialect.contains(ip, "':'")} THEN (${isUnusual} OR ${groups.sql(dialect, ip)}) ELSE ${octets.sql(dialect, ip)} END`;
}

/** How the first one or two numbers of addresses in some networks are written. */
class Starts {
  readonly #first = new Set<string>();
  readonly #both = new Set<string>();
  #isAny = false;

  /** @param width bits of a number */
  constructor(
    private readonly width: number,
    private readonly separator: string,
    private readonly spelled: (number: number) => readonly string[],
  ) {}

  add([first = 0, second = 0]: readonly number[], bits: number): void {
    const { width, separator, spelled } = this;
    if (bits < width) {
      this.#isAny = true;
    } else if (bits < 2 * width) {
      for (const one of spelled(first)) this.#first.add(one);
    } else {
      for (const one of spelled(first))
        for (const other of spelled(second))
          this.#both.add(`${one}${separator}${other}`);
    }
  }

  /** Whether a text begins like that. */
  sql(dialect: Dialect, text: string): string {
    if (this.#isAny) return "TRUE";
    const part = (index: number) =>
      dialect.splitPart(text, this.separator, index);
    const isOneOf = (sql: string, texts: ReadonlySet<string>) =>
      texts.size === 0
        ? []
        : [`${sql} IN (${[...texts].map(dialect.quoteText).join(", ")})`];
    const conditions = [
      ...isOneOf(part(1), this.#first),
      ...isOneOf(
        `concat(${part(1)}, '${this.separator}', ${part(2)})`,
        this.#both,
      ),
    ];
    return conditions.length === 0 ? "FALSE" : `(${conditions.join(" OR ")})`;
  }
}

const spelledOctet = (octet: number) => [String(octet)];

/** A group of zeros may be left out. */
const spelledGroup = (group: number) => {
  const text = group.toString(16);
  const padded = [1, 2, 3, 4].map((length) => text.padStart(length, "0"));
  return [...new Set(group === 0 ? ["", ...padded] : padded)];
};

const groupsOf = (bytes: readonly number[]) =>
  [0, 2].map((at) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
