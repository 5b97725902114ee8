import fc from "fast-check";
import { wordOf } from "./random-words";
import { FIELDS, type RuleRequest } from "@devid/rules/language";

/** Names of headers. */
export const headerName = wordOf("Origin Referer X-A X-B x-a ");
/** Texts that headers, fields and literals share, so that comparisons often hold. */
export const word = wordOf(
  " a b ab A Origin bot Googlebot/2.1 https://shop.example ß é İ Σ \u{1f600} \ufffd 1 it's",
  "\u2003x\u00a0",
  " a ",
  'say "x"',
);

/** Values for the members of a request that fields are read from, as their rows describe them. */
const members: Record<string, fc.Arbitrary<boolean | string>> = {};
for (const { from, type, symbolic } of FIELDS) {
  if (type === "boolean" && symbolic?.kind !== "equals")
    members[from] = fc.boolean();
  if (symbolic?.kind !== "variable" || type !== "string") continue;
  const { values, plain = [] } = symbolic;
  members[from] = values
    ? fc.constantFrom(...values, "of its own")
    : fc.oneof(word, fc.constantFrom("", ...plain));
}

/** A request with few, well-known values, so that comparisons often hold. */
export const request: fc.Arbitrary<RuleRequest> = fc.record(
  {
    headers: fc.dictionary(headerName, fc.array(word, { maxLength: 3 }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    ip: wordOf("10.1.2.3 203.0.113.5 ::ffff:10.1.2.3 2001:db8::1 ::1"),
    ...members,
  },
  { requiredKeys: ["headers"] },
);
