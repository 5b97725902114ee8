import { maskUrl, maskUrls, REDACTED } from "@devid/sdk";
import { parseUrl } from "@devid/sdk/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../helpers/cells-of";

const R = REDACTED;

it("an address of a host with é is read also when the reading is optimized", () => {
  for (let times = 0; times < 20_000; times++)
    if (!parseUrl("https://é.example/")) expect.fail(`the ${times}th time`);
});

describe("a URL in a text", () => {
  it.each(["https://a.example/", "(https://a.example/"])(
    "with a long row of punctuation behind %s takes no long time",
    (start) => {
      const text = `${start}${"!".repeat(100_000)}x`;
      const before = process.cpuUsage();
      expect(maskUrls(text)).toBe(text);
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
    },
  );

  const MASKED = `
Creating webhook https://user:pass@hooks.example/x?token=abc failed: 400. | Creating webhook https://${R}@hooks.example/x?${R} failed: 400.
See https://a.example/?x=1, then 'https://b.example/?y=2'. And (https://c.example?z). | See https://a.example/?${R}, then 'https://b.example/?${R}'. And (https://c.example?${R}).
<a href=https://h.example/?a=1>x | <a href=https://h.example/?${R}>x
https://u:p@[::1]:8443/x?a | https://${R}@[::1]:8443/x?${R}
https://u%40corp:pw@h.example/a%3Fb | https://${R}@h.example/a%3Fb
https://h.example/#/route?token=1 | https://h.example/#/route?${R}
hook_https://u:p@h.example | hook_https://${R}@h.example
postgres://u:p@db.example/x?ssl=1 | postgres://${R}@db.example/x?${R}
https:u:p@h.example/x | https:${R}@h.example/x
http:/\\u:p@h.example/x | http:/\\${R}@h.example/x
// Without an end of the credentials, nothing of them is kept.
https://user:pa/ss@h.example/x | https://${R}@h.example/x
https://user:p?ss@h.example/x | https://${R}@h.example/x
https://user:p#ss@h.example/x | https://${R}@h.example/x
https://user:beginn | https://${R}
`;

  it.each(cellsOf(MASKED))("%s", (text = "", masked) => {
    expect(maskUrls(text)).toBe(masked);
  });

  const WITHIN = String.raw`
percent-encoded, of which only the scheme stays | https%3A%2F%2Fuser%3Apass%40h.example%2Fx%3Ftoken%3Dx then | https%3A${R} then
encoded twice | https%253A%252F%252Fu%253Ap%2540h%252Fx%253Ft%253Dx | https%253A${R}
encoded in part | https%3A//u:p@h.example/?a=1 | https%3A${R}
in the path of another URL | https://proxy.example/https://u:p@h.example/?x | https://proxy.example/https://${R}@h.example/?${R}
encoded in the path of another URL | https://proxy.example/https%3A%2F%2Fu%3Ap%40h%2F%3Ft%3D1 | https://proxy.example/https%3A${R}
in JSON within JSON | {"message":"bad \"https://u:p@h/?t=x\" given\nto https:\/\/u:p@h\/x?y=1"} | {"message":"bad \"https://${R}@h/?${R}\" given\nto https:\/\/${R}@h\/x?${R}"}
`;

  it.each(cellsOf(WITHIN))("%s", (_, text = "", masked) => {
    expect(maskUrls(text)).toBe(masked);
  });

  it.each([
    "a b@c.example, 5 ? 6 : 7, what? http: no, https:// and ftp",
    "https://h.example/@scope/pkg and http://127.0.0.1:8080/x#a",
    "Did you mean https://h.example/x? Or https://h.example/?",
    'http.request.headers["Origin"][0] == "https://shop.example"',
    "ae_1: rules[2].expression, 100%25 of it, a%3Ab%3Fc",
  ])("is kept if it contains no secret: %s", (text) => {
    expect(maskUrls(text)).toBe(text);
  });
});

const word = fc.stringMatching(/^[A-Za-z0-9]{4,12}$/);

/** URLs whose secret parts contain every character that a URL may have there. */
const url = fc
  .record({
    scheme: fc.constantFrom("https", "http", "HTTPS"),
    user: fc.option(
      fc.tuple(
        word,
        fc.stringMatching(/^[\w.~!$&'()*+,;=:-]{0,8}$/),
        fc.stringMatching(/^(%[0-9A-F]{2})?$/),
      ),
    ),
    path: fc.array(fc.stringMatching(/^[\w.~@:$-]{0,6}$/), { maxLength: 3 }),
    query: fc.option(
      fc.tuple(word, fc.stringMatching(/^[\w.~!$&'()*+,;=:@/?%-]{0,12}$/)),
    ),
  })
  .map(({ scheme, user, path, query }) => ({
    text: `${scheme}://${user ? `${user.join("")}@` : ""}h.example/${path.join("/")}${query ? `?${query.join("")}` : ""}`,
    masked: `${scheme}://${user ? `${R}@` : ""}h.example/${path.join("/")}${query ? `?${R}` : ""}`,
    secrets: [...(user?.slice(0, 1) ?? []), ...(query?.slice(0, 1) ?? [])],
  }))
  // By chance, a secret part may be a word of the address, or a path the beginning of
  // another URL.
  .filter(({ masked, secrets }) => secrets.every((s) => !masked.includes(s)))
  .filter(({ masked }) => !/\/.*(:\/\/|https?:)/i.test(masked.slice(8)));

describe("for any URL,", () => {
  const frames = [
    (u: string) => u,
    (u: string) => `Creating webhook ${u} failed.`,
    (u: string) => `"${u}"`,
    (u: string) => JSON.stringify({ url: u, message: `"${u}"\nis bad` }),
    (u: string) => `${u} ${u}\n${u}`,
    (u: string) => `(${u})`,
    (u: string) => `'${u}', and more`,
    (u: string) => encodeURIComponent(u),
    (u: string) => `https://api.example/webhooks/${encodeURIComponent(u)}`,
    (u: string) => encodeURIComponent(encodeURIComponent(u)),
  ];

  it("no part of the user-info and the query is kept, and masking twice changes nothing", () => {
    fc.assert(
      fc.property(url, fc.constantFrom(...frames), ({ text, secrets }, in_) => {
        const masked = maskUrls(in_(text));
        for (const secret of secrets) expect(masked).not.toContain(secret);
        expect(maskUrls(masked)).toBe(masked);
      }),
      { numRuns: 2_000 },
    );
  });

  it("scheme, host, path and the text around it are kept", () => {
    fc.assert(
      fc.property(url, ({ text, masked }) => {
        expect(maskUrls(`Before ${text} after, JSON: "${text}" too`)).toBe(
          // The punctuation of a sentence is not part of a URL.
          `Before ${masked}${tailOf(text)} after, JSON: "${masked}${tailOf(text, true)}" too`,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  /** The punctuation behind a URL that the surrounding text may have added. */
  function tailOf(text: string, quoted = false): string {
    if (!text.includes("?")) return "";
    const tail = quoted ? /["')\]}.,;:!]*$/ : /[.,;:!]*$/;
    return tail.exec(text)?.[0] ?? "";
  }

  it("JSON can still be parsed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(url, fc.record({ text: fc.string() }))),
        (all) => {
          const json = JSON.stringify(all.map(({ text }) => `x ${text}\ny`));
          expect(JSON.parse(maskUrls(json))).toHaveLength(all.length);
        },
      ),
    );
  });
});

it("masking a text of many URLs takes linear time", () => {
  for (const text of [
    "https:".repeat(20_000),
    "https%3a".repeat(2_000),
    `https%3a%2f%2f${"a%40".repeat(2_000)}`,
    "a.".repeat(100_000),
    "https://u:p@h.example/?x ".repeat(20_000),
  ]) {
    const before = process.cpuUsage();
    maskUrls(text);
    const { user } = process.cpuUsage(before);
    // Less than a second on an idle machine. Quadratic time would take minutes.
    expect(user / 1_000).toBeLessThan(10_000);
  }
}, 120_000);

it.each([
  ["https://a.example", "https://a.example"],
  ["https://u:p@a.example/x?y", `https://${R}@a.example/x?${R}`],
  ['https://u:p w@h.example/?a b"c', `https://${R}@h.example/?${R}`],
  ["https://h.example/?a`b\\nc", `https://h.example/?${R}`],
  ["https://us\ner:p@h.example/\\x?y", `https://${R}@h.example//x?${R}`],
  ["u:p@h.example/?y", "at an address that is neither http nor https"],
  ["", "at an address that is neither http nor https"],
])("an address without a text around it %j is masked", (address, masked) => {
  expect(maskUrl(address)).toBe(masked);
});
