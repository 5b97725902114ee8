import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashUrl } from "../../../service/agent/hashing";

const ALL = { path: true, query: true, fragment: true };
const PATH = "oK-fhlv2N-ZzaBf0zlUuTN97jDbqdbwlTB0fCvdEtb8";
const QUERY = "E1kifZXhuoBEZ_zkQa60jyxcaHNX3QFaydaaIEtL7j0";
const FRAGMENT = "eb-w4rp2udRHYG3bzElINPBaTBHesFLnS0nqMHo8W80";

describe("hashUrl", () => {
  // contract: agent-18
  it.each([
    [ALL, `https://shop.example/${PATH}?${QUERY}#${FRAGMENT}`],
    [{ path: true }, `https://shop.example/${PATH}?token=secret#anchor`],
    // contract: agent-7, agent-17, agent-19
    [{ query: true }, `https://shop.example/path?${QUERY}#anchor`],
    [{ fragment: true }, `https://shop.example/path?token=secret#${FRAGMENT}`],
    [{ path: false }, "https://shop.example/path?token=secret#anchor"],
    [{}, "https://shop.example/path?token=secret#anchor"],
  ])("hashes %j like the published example", (hashing, hashed) => {
    const url = "https://shop.example/path?token=secret#anchor";
    expect(hashUrl(url, hashing)).toBe(hashed);
  });

  // contract: agent-17
  it.each([
    "",
    "https://shop.example",
    "https://shop.example/",
    "https://shop.example:8443/?#",
    "http://[::1]:8080/#",
  ])("keeps the empty parts of %j", (url) => {
    expect(hashUrl(url, ALL)).toBe(url);
  });

  it.each([
    ["about:srcdoc", /^about:[\w-]{43}$/],
    ["file:///home/me", /^file:\/\/\/[\w-]{43}$/],
    ["data:text/html,hello", /^data:[\w-]{43}$/],
    [
      "https://a.example/x?y?z#a#b?c",
      /^https:\/\/a\.example\/[\w-]{43}\?[\w-]{43}#[\w-]{43}$/,
    ],
  ])("hides the secret parts of %j", (url, hidden) => {
    expect(hashUrl(url, ALL)).toMatch(hidden);
  });

  // contract: agent-17
  it("gives the same hash for parameters in any order, and another hash for other parameters", () => {
    const pair = fc.stringMatching(/^[a-z]{1,3}=[a-z0-9%]{0,3}$/);
    fc.assert(
      fc.property(
        fc
          .uniqueArray(pair, { minLength: 1 })
          .chain((pairs) =>
            fc.tuple(
              fc.constant(pairs),
              fc.shuffledSubarray(pairs, { minLength: pairs.length }),
            ),
          ),
        ([pairs, shuffled]) => {
          const hashed = (query: readonly string[]) =>
            hashUrl(`https://a.example/?${query.join("&")}`, { query: true });
          expect(hashed(shuffled)).toBe(hashed(pairs));
          expect(hashed([...pairs, "more=1"])).not.toBe(hashed(pairs));
        },
      ),
    );
  });

  // contract: agent-20
  it("sorts the query's parameters by UTF-16 code unit, without decoding them", () => {
    // printf "%s" "B=1&a=%C3%A9&a=2" | openssl dgst -sha256 -binary | base64
    expect(hashUrl("https://a.example/?a=%C3%A9&a=2&B=1", ALL)).toBe(
      "https://a.example/?wYYw1o5sOgenBRu4F8pm6FeMC5QgDBCGZZvmM9v1UJ4",
    );
  });

  it("keeps the order of parameters if the query is not hashed", () => {
    const url = "https://a.example/p?b=1&a=2";
    expect(hashUrl(url, { path: true })).toMatch(/\?b=1&a=2$/);
  });
});
