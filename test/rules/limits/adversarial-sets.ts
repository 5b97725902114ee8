import type { Rule } from "../../../rules/src";

const times = <Item>(count: number, make: (place: number) => Item): Item[] =>
  Array.from({ length: count }, (_, place) => make(place));

const HEADER = "http.request.headers['X-A']";
const USER_AGENT = "http.user_agent.string";

/** Quantifiers nested `depth` levels deep. */
const nested = (depth: number): string =>
  depth === 0 ? "# == 'a'" : `any(${HEADER}, ${nested(depth - 1)})`;

/** Three comparisons of one header, chosen by `place` as if at random. */
const clause = (place: number): string =>
  times(3, (i) => {
    const variable = (place * 7 + i * 13) % 20;
    const sign = (place * 31 + i * 17) % 3 === 0 ? "==" : "!=";
    return `${HEADER}[${variable}] ${sign} 'x'`;
  }).join(" || ");

/** Expressions of at most `size` rules, by the names of the sets. */
const SETS: Readonly<Record<string, (size: number) => string[]>> = {
  "denies behind an allow": (size) =>
    times(size, (i) => `sdk.version == '3.${i}'`),
  "allows and denies in turn": (size) =>
    times(size, (i) => `${HEADER}[0] == 'https://shop-${i}.example'`),
  networks: (size) =>
    times(size, (i) => {
      const network = `10.${(i >> 8) % 256}.${i % 256}.0/${24 + (i % 8)}`;
      return `http.request.ip in cidr('${network}')`;
    }),
  "long lists": (size) =>
    times(Math.ceil(size / 100), (rule) => {
      const values = times(1_500, (i) => `'value-${i + rule}'`);
      return `${HEADER}[0] in [${values.join(", ")}]`;
    }),
  "patterns and a long list": (size) => [
    `${USER_AGENT} in [${times(2_500, (i) => `'agent/${i} ${"x".repeat(20)}'`).join(", ")}]`,
    ...times(
      Math.ceil(size / 10),
      (i) => `${USER_AGENT} matches '(a|b|[c-z]+)*${i}.{0,${i % 50}}x+y'`,
    ),
  ],
  "large patterns and long texts": (size) =>
    times(Math.ceil(size / 500), (i) =>
      i % 2 === 0
        ? `${USER_AGENT} == '${`${"a".repeat(80_000)}${i}`}'`
        : `${USER_AGENT} matches '(?:a?b?){900}${i}$'`,
    ),
  "deep nesting": (size) =>
    times(
      Math.ceil(size / 100),
      (i) =>
        `${"!(".repeat(400)}sdk.version == '${i}' || sdk.platform.is_ios${")".repeat(400)}`,
    ),
  quantifiers: (size) =>
    times(size / 2, (i) =>
      i % 100 === 0
        ? nested(4)
        : `any(${HEADER}, # contains 'a${i}' && # != 'b${i}')`,
    ),
  "contradictions that are hard to see": (size) =>
    times(size / 50, (i) =>
      times(30, (j) => `(${clause(i + j * 11)})`).join(" && "),
    ),
  conditions: (size) =>
    times(
      Math.ceil(size / 100),
      (i) =>
        `${times(200, (j) => `sdk.version == '${i}.${j}' ? sdk.platform.is_ios : `).join("")}sdk.platform.is_android`,
    ),
  "a chain of comparisons": (size) =>
    times(
      Math.ceil(size / 1_000),
      (i) => `sdk.platform.is_ios${" == true".repeat(4_900 - i)}`,
    ),
  "missing values": (size) =>
    times(size, (i) => `http.request.headers['X-${i}'][0] != 'a'`),
};

const every = (step: number) => (place: number) => place % step === 0;

/** The places of the rules that allow, by the names of the sets; the others deny. */
const ALLOWS: Readonly<Record<string, (place: number) => boolean>> = {
  "denies behind an allow": (place) => place === 0,
  "allows and denies in turn": every(2),
  "long lists": every(3),
  "deep nesting": every(2),
  quantifiers: every(5),
  "contradictions that are hard to see": every(2),
  "missing values": (place) => place % 2 === 1,
};

/** Rule sets each of which makes one part of a search, of lint or of a comparison expensive. */
export const ADVERSARIAL = Object.entries(SETS).map(([name, expressions]) => ({
  name,
  rules: (size: number): Rule[] =>
    expressions(size).map((expression, place) => ({
      ...{ name: `r${place}`, expression, status: "enabled" },
      action: ALLOWS[name]?.(place) ? "allow" : "deny",
    })),
}));
