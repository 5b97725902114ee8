import type { Rule } from "@devid/rules";
import { FIELDS } from "@devid/rules/language";
import fc from "fast-check";

type Text = fc.Arbitrary<string>;
const pick = (...options: readonly string[]) => fc.constantFrom(...options);

/** Those of a text, with a blank between them. */
const words = (text: string) => pick(...text.trim().split(/ +/));

/** Parts of texts that a check, a printer or a pattern may stumble over. */
const fragment = fc.oneof(
  words(
    String.raw`&#9999999; &#ff; &#xD800; &#65; &#x41; &amp; &nbsp; \x{110000} \x{d800} \x41 \x{41}`,
  ),
  words(String.raw`\Qa.b\E \C \d .* ^ $ | [a-zA-z] [ ( ) (?i) {2,} * +`),
  words("% %2F \\ ' \" ` # // а İ ß null - a,b ${HOST} /* shop.example/ 1.2"),
  pick("\n", "\t", "\u0000", " ", "", "a b", "{{ host }}"),
  pick("\ud83d", "\ude00", "\u{1f600}", "\u202e", "\u200b", "\u00a0", "\u2013"),
  words("https://shop.example https://*.shop.example http://::1:3000 ::/0"),
  words("203.0.113.7/3 ::ffff:203.0.113.0/24 curl/8.5.0 Googlebot Mozilla/5.0"),
  words("3.0.0 com.acme.shop ios"),
);
const text = fc
  .array(fragment, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""));

const quoted = fc
  .tuple(text, pick("'", '"', "`"))
  .map(([value, quote]) =>
    quote === "`"
      ? `\`${value.replaceAll("`", "``")}\``
      : quote +
        value
          .replaceAll("\\", "\\\\")
          .replaceAll(quote, `\\${quote}`)
          .replaceAll("\n", "\\n") +
        quote,
  );

const join = (...parts: readonly (string | Text)[]): Text =>
  fc
    .tuple(
      ...parts.map((part) =>
        typeof part === "string" ? fc.constant(part) : part,
      ),
    )
    .map((texts) => texts.join(""));

/** In brackets of its own, now and then. */
const bracketed = (inner: Text): Text =>
  fc
    .tuple(inner, fc.integer({ min: 0, max: 9 }))
    .map(([source, n]) =>
      n > 6 ? (n > 8 ? `(( ${source} ))` : `(${source})`) : source,
    );

const dotted = words(
  "Origin Referer Etag Vary user_agent User_Agent Orign origin accept_language x_forwarded_for Refferer Host X_A constructor __proto__",
);
const indexed = fc.oneof(
  words(
    "Origin origin User-Agent user-agent User_Agent ETag Etag Set-Cookie Remote-Addr X-Forwarded-For",
  ),
  words(
    "Origin: é https://shop.example Sec-Ch-Ua-Mobil Accept-Langauge Referer",
  ),
  pick(" Origin", ""),
);
const headers = pick(
  "http.request.headers",
  "http.request.headers",
  "http['request'].headers",
  '(http.request)["headers"]',
);
const list: Text = bracketed(
  fc.oneof(
    join(headers, ".", dotted),
    join(headers, "['", indexed, "']"),
    join(headers, "['", indexed, "'] ?? []"),
    join("(", headers, ".", dotted, " ?? [])"),
  ),
);
const fieldOf = (type: string) =>
  pick(...FIELDS.filter((field) => field.type === type).map(({ name }) => name))
    // `a.b.c` may be written `a.b['c']`.
    .chain((name) => pick(name, name, name.replace(/\.(\w+)$/, "['$1']")));
const value: Text = bracketed(
  fc.oneof(
    fieldOf("string"),
    fieldOf("string"),
    join("(", list, ")[", pick("0", "0", "1", "-1"), "]"),
    join(list, "[0]"),
    join(pick("lower", "upper", "trim"), "(", fieldOf("string"), ")"),
    join(fieldOf("string"), " ?? ", quoted),
  ),
);
const operator = pick(
  ...["==", "!=", "contains", "not contains", "startsWith", "endsWith"],
  ...["matches", "matches", "not matches", "<", ">="],
);
const network = fc.oneof(
  pick("'203.0.113.7/3'", "'::ffff:203.0.113.0/24'", "'10.0.0.0/8'"),
  pick("'0.0.0.0/0'", "'2001:db8::1/3'", "'::/1'", "'203.0.113.5/24'"),
);
const leaf: Text = fc.oneof(
  join(value, " ", operator, " ", bracketed(quoted)),
  join(
    quoted,
    pick(" == ", " != ", " in "),
    pick("sdk.version", "http.request.headers"),
  ),
  join(value, pick(" in [", " not in ["), quoted, ", ", quoted, "]"),
  join(quoted, pick(" in ", " not in "), list),
  join("http.request.ip ", pick("in", "not in"), " cidr(", network, ")"),
  join(
    pick("any", "all", "none"),
    "(",
    list,
    ", # ",
    operator,
    " ",
    quoted,
    ")",
  ),
  join("count(", list, ", # == ", quoted, ") ", pick(">= 0", "> 1", "== 0")),
  join("len(", list, ") ", pick(">= 0", "> 1", "< 1")),
  fieldOf("boolean"),
  pick("true", "false"),
);

/** Expressions that people and programs may write, most of them valid. */
export const hostileExpression: Text = fc.letrec<{ all: string }>((tie) => {
  const next = bracketed(tie("all"));
  return {
    all: fc.oneof(
      { maxDepth: 3, depthIdentifier: "hostile" },
      leaf,
      leaf,
      join(next, pick(" && ", " || ", "\n  or "), next),
      join(next, " && /* why */ ", next),
      join("!(", next, ")"),
      join("not ", bracketed(leaf)),
      join("(", next, ") ? (", next, ") : ", next),
      next.map((same) => `${same} ? ${same} : ${same}`),
      next.map((same) => `(${same}) || (${same})`),
      join("(", next, ") ?? true"),
    ),
  };
}).all;

/** Rule sets of such expressions. */
export const hostileRules: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({
      expression: hostileExpression,
      action: fc.constantFrom("allow" as const, "deny" as const),
      status: fc.constantFrom(
        "enabled" as const,
        "enabled" as const,
        "disabled" as const,
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((rules) => rules.map((rule, i) => ({ name: `rule-${i}`, ...rule })));
