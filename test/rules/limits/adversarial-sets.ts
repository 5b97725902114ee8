import type { Rule } from "../../../rules/src";

/** Rules with these expressions. The first is named `r0`. */
function rulesWith(
  expressions: readonly string[],
  action: (place: number) => Rule["action"] = () => "deny",
): Rule[] {
  return expressions.map((expression, place) => ({
    name: `r${place}`,
    expression,
    action: action(place),
    status: "enabled",
    denyWith: undefined,
  }));
}

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

/**
 * Rule sets of at most `size` rules. Each makes one part of a search, of lint or of a
 * comparison expensive.
 */
export const ADVERSARIAL: readonly {
  readonly name: string;
  readonly rules: (size: number) => Rule[];
}[] = [
  {
    name: "denies behind an allow",
    rules: (size) =>
      rulesWith(
        times(size, (i) => `sdk.version == '3.${i}'`),
        (place) => (place === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "allows and denies in turn",
    rules: (size) =>
      rulesWith(
        times(size, (i) => `${HEADER}[0] == 'https://shop-${i}.example'`),
        (place) => (place % 2 === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "networks",
    rules: (size) =>
      rulesWith(
        times(
          size,
          (i) =>
            `http.request.ip in cidr('10.${(i >> 8) % 256}.${i % 256}.0/${24 + (i % 8)}')`,
        ),
      ),
  },
  {
    name: "long lists",
    rules: (size) =>
      rulesWith(
        times(Math.ceil(size / 100), (rule) => {
          const values = times(1_500, (i) => `'value-${i + rule}'`);
          return `${HEADER}[0] in [${values.join(", ")}]`;
        }),
        (place) => (place % 3 === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "patterns and a long list",
    rules: (size) =>
      rulesWith([
        `${USER_AGENT} in [${times(2_500, (i) => `'agent/${i} ${"x".repeat(20)}'`).join(", ")}]`,
        ...times(
          Math.ceil(size / 10),
          (i) => `${USER_AGENT} matches '(a|b|[c-z]+)*${i}.{0,${i % 50}}x+y'`,
        ),
      ]),
  },
  {
    name: "large patterns and long texts",
    rules: (size) =>
      rulesWith(
        times(Math.ceil(size / 500), (i) =>
          i % 2 === 0
            ? `${USER_AGENT} == '${`${"a".repeat(80_000)}${i}`}'`
            : `${USER_AGENT} matches '(?:a?b?){900}${i}$'`,
        ),
      ),
  },
  {
    name: "deep nesting",
    rules: (size) =>
      rulesWith(
        times(
          Math.ceil(size / 100),
          (i) =>
            `${"!(".repeat(400)}sdk.version == '${i}' || sdk.platform.is_ios${")".repeat(400)}`,
        ),
        (place) => (place % 2 === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "quantifiers",
    rules: (size) =>
      rulesWith(
        times(size / 2, (i) =>
          i % 100 === 0
            ? nested(4)
            : `any(${HEADER}, # contains 'a${i}' && # != 'b${i}')`,
        ),
        (place) => (place % 5 === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "contradictions that are hard to see",
    rules: (size) =>
      rulesWith(
        times(size / 50, (i) =>
          times(30, (j) => `(${clause(i + j * 11)})`).join(" && "),
        ),
        (place) => (place % 2 === 0 ? "allow" : "deny"),
      ),
  },
  {
    name: "conditions",
    rules: (size) =>
      rulesWith(
        times(
          Math.ceil(size / 100),
          (i) =>
            `${times(200, (j) => `sdk.version == '${i}.${j}' ? sdk.platform.is_ios : `).join("")}sdk.platform.is_android`,
        ),
      ),
  },
  {
    name: "missing values",
    rules: (size) =>
      rulesWith(
        times(size, (i) => `http.request.headers['X-${i}'][0] != 'a'`),
        (place) => (place % 2 === 0 ? "deny" : "allow"),
      ),
  },
];
