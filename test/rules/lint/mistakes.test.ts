import { applyEdits, LINTS, lintRules, type LintFinding } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { resultFor } from "../language/checked";
import { readBlocks, type Block } from "./blocks/read-blocks";
import { cellsOf, rowsOf } from "../../helpers/cells-of";
import { rulesOf } from "./rules";

/**
 * Mistakes, by the file of their blocks; how many of them lint finds, and below those that it
 * does not find. Each file was written before any lint ran on it. A report of the missed ones would
 * be a false alarm for some teams, or the mistake changes no decision, or it would need the
 * name of every telephone.
 */
const MISTAKES = rowsOf(`
// Kinds of mistakes that teams report in public, in our own words.
first | mistakes | 214 of 214
// At first lint found 86 of the first 197 (44 %).
later | later-mistakes | 217 of 220
  an empty user agent or undefined, in a list
  the guard after the condition that needs it
  a port that may be a part of the name
// Mistakes that users of firewalls and gateways report (Cloudflare, AWS WAF, the OWASP
// rules, Kong, Envoy, Quarkus). At first lint found 66 of the first 119 (55 %), and later 13
// of the last 20.
firewalls | firewall-mistakes | 139 of 142
  an open dot within a version
  the last part of a domain at the end of a referer
  credentials that nobody checks
// Mistakes from threads about lists of origins, bots and addresses. At first lint found 30
// of the 41 (73 %).
threads | thread-mistakes | 46 of 46
// Mistakes from issues and forums about user agents, headers, origins and addresses. At
// first lint found 2 of the 40 (5 %). They were chosen to be unlike those of the other
// files, so this is no share of the mistakes that people make.
issues | issue-mistakes | 36 of 40
  a desktop browser by letters that its telephone edition has, too
  a wrong date of an engine, which a browser of telephones has as its version
  a command behind a semicolon, which begins the name of a telephone
  a guard that asks for two headers before it looks at one
// The first 40 mistakes in threads on agents, origins, referers, addresses and Fetch
// Metadata that can be written as rules, except those of the other files. At first lint
// found 20 of them (50 %).
fresh | fresh-mistakes | 38 of 40
  an old browser's beginning, which the neutral agents of partners have
  another site, unless the browser does not say so
// Mistakes of other threads on referers, origins and crawlers, taken in the same way after
// the fresh ones were mended. At first lint found 12 of the 17 (71 %).
last | last-mistakes | 15 of 17
  kinds of crawlers in small letters alone
  a tool whose name begins another word
// 40 mistakes of public threads of another day, chosen by somebody who had not seen lint. At
// first lint found 13 of them (33 %).
public | public-mistakes | 28 of 40
  a preview bot from foreign addresses, whose name a messenger borrows
  schemes of the web alone, before the app of the telephone had its own
  tablets by what every desktop of the maker has, too
  a brand that other makers' browsers of the same engine do not have
  a header of scripts, whatever it says
  bots as a word of its own, which a tablet is called, too
  a telephone's model that begins another maker's
  a company's app by the name of one of its apps
  a scanner whose name is a part of words
  a browser of telephones by a name that it drops for desktop pages
  a crawler's name that must not go on with a hyphen
  a tool whose name is a word in a customer's domain
// 40 mistakes by classes (headers, logic, addresses, platforms, versions, origins, user
// agents, order), each with a request that shows its damage. At first lint found 30 of them
// as a warning (75 %). Those behind them show that each class is found in other spellings
// and parts, too.
classes | class-mistakes | 72 of 72
// 62 mistakes that somebody wrote without a look at lint, each with a request that shows its
// damage. Of the 40 that were held out to the end, lint found 25 (63 %), and of the 22
// others 16.
held out | held-out-mistakes | 60 of 62
// To deny crawlers alone is what most such rules mean.
  bots, crawler is not AI (deny all bots, AI bots, too)
  origin, nil is not null (deny pages in sandboxed frames (origin null))
// Mistakes of public threads about origins, other headers, networks, platforms and order. Of
// 115, lint named 49 at first (43 %), and of 40 that came after these were mended, 27 (68
// %). These are the ideas among the others.
requests | request-mistakes | 52 of 52
// Of 85 mistakes with user agents and client hints in public threads, and of 30 later ones,
// those with an idea of their own, and two that were taken for right. At first lint found 34
// of the 85 (40 %), and 16 of the 30. The last seven are of a set of 40 on all parts of
// requests, of which lint found 17 at first (43 %).
clients | client-mistakes | 50 of 55
  views of Android by a version that old browsers had
  telephones by a word of tablets
  a language at the beginning, whose other clients begin otherwise
  an old telephone that a crawler claims to be
  two browsers joined by and
// Other spellings, parts and directions of ideas that lint knew for one of them only.
siblings | sibling-mistakes | 50 of 50
`).map(([row = "", ...missed]) => {
  const [[of, file = "", share] = []] = cellsOf(row);
  return { of, share, missed, mistakes: readBlocks(file) };
});
const ALL = MISTAKES.flatMap(({ mistakes }) => mistakes);
const RIGHT_SETS = readBlocks("right-sets");

const known = new Map<Block, readonly LintFinding[]>();

/** The finding for a mistake, cached because several tests read it. */
function findingsOf(mistake: Block): readonly LintFinding[] {
  const found = known.get(mistake) ?? lintRules(rulesOf(...mistake.rules));
  known.set(mistake, found);
  return found;
}

const findingOf = (mistake: Block) =>
  findingsOf(mistake).find(({ code }) => mistake.codes.includes(code));

/** The expression of the rule that a finding is about, before and after the edits. */
function edited(
  { rules }: Block,
  { index, edits = [] }: LintFinding,
): [before: string, after: string] {
  const before = rulesOf(...rules)[index]?.expression ?? "";
  return [
    before,
    applyEdits(
      before,
      edits.filter((edit) => edit.kind === "replace"),
    ),
  ];
}

const MORE = String.raw`
never-sent | deny {header}['Cf-Ipcountry'][0] == 'ru'
never-sent | deny {header}['Cf-Ipcountry'][0] == 'RUS'
never-sent | deny any({header}['X-Country'], # == 'UK')
never-sent | deny any({header}['Sec-Ch-Ua-Model'], # == 'Pixel 8')
never-sent | deny any({header}['Sec-Ch-Ua-Wow64'], # == 'true')
never-sent | deny any({header}['Cookie'], # == 'session')
never-sent | deny any({header}['X-Api-Key'], # == 'changeme')
never-sent | deny any({header}['Authorization'], # startsWith 'basic ')
never-sent | deny any({header}['Accept-Language'], # startsWith 'jp')
never-sent | deny any({header}['Accept-Language'], # startsWith 'en-UK')
never-sent | deny any({header}['Sec-Ch-Ua'], # contains 'Chrome;v="120"')
never-sent | deny {agent} contains 'iPhone OS 12.4'
never-sent | deny {agent} matches 'Safari/1[0-3]\\.'
never-sent | deny {agent} contains 'Samsung Browser'
never-sent | allow {header}['Origin'][0] in ['https://shop.example', '*']
matches-others | allow any({header}['Cookie'], # contains 'admin=1')
matches-others | deny {agent} matches '(?i)baidu'
matches-others | deny {agent} contains 'LinkedIn'
matches-others | deny {agent} matches '(?i)(news|score)'
pattern-typo | deny {agent} matches 'bot/i'
pattern-typo | deny {agent} matches 'Bot-(a|b)?'
constant-condition | deny http.user_agent.is_crawler_bot && {agent} contains 'GPTBot'
constant-condition | deny {agent} contains 'Googlebot' && !http.user_agent.is_crawler_bot
`
  .replaceAll("{header}", "http.request.headers")
  .replaceAll("{agent}", "http.user_agent.string");

describe("the mistakes that teams report", () => {
  it.each(MISTAKES)(
    "are found, except those that are named: $of, $share",
    ({ mistakes, share, missed }) => {
      const open = mistakes.filter((mistake) => !findingOf(mistake));
      // If a mistake is no longer found, the failure shows its name.
      expect(open.map(({ what }) => what).sort()).toEqual(missed.sort());
      expect(`${mistakes.length - open.length} of ${mistakes.length}`).toBe(
        share,
      );
    },
  );

  it("cover every lint, except those of files and limits", () => {
    const codes = new Set(ALL.flatMap((mistake) => mistake.codes));
    expect(
      LINTS.map(({ code }) => code).filter((code) => !codes.has(code)),
    ).toEqual(["too-many-rules", "plain-regex"]);
  });

  it("come with a request that shows the finding", () => {
    for (const mistake of ALL) {
      const finding = findingOf(mistake);
      const said =
        / this rule (matches|does not match) (?:it|the request shown)$/.exec(
          finding?.message ?? "",
        )?.[1];
      if (!finding || said === undefined) continue;
      const { request } = finding;
      if (!request) throw new Error(`${mistake.what} shows no request`);
      const [before, after] = edited(mistake, finding);
      const is = said === "matches";
      expect([before, resultFor(before, request) === true]).toEqual([
        before,
        is,
      ]);
      if (finding.edits)
        expect([after, resultFor(after, request) === true]).toEqual([
          after,
          !is,
        ]);
    }
  });

  it("come as plain data, whose place is a stretch of the expression", () => {
    const branches =
      "len({header}) > 1 ? len({header}) > 1 : len({header}) > 1";
    const expression = branches.replaceAll("{header}", "http.request.headers");
    const [ofBranches] = lintRules(rulesOf(`deny ${expression}`)).filter(
      ({ code }) => code === "repeated",
    );
    expect(ofBranches).toBeDefined();
    for (const finding of [ofBranches, ...ALL.flatMap(findingsOf)]) {
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding);
      const place = Object.keys(finding?.span ?? {});
      expect(["", "offset,length"]).toContain(place.join());
    }
  });

  it("come with one user agent, as a header and as a field", () => {
    for (const mistake of ALL)
      for (const { request } of findingsOf(mistake)) {
        const [header] = request?.headers["User-Agent"] ?? [];
        if (header !== undefined && request?.userAgent !== undefined)
          expect([mistake.what, header]).toEqual([
            mistake.what,
            request.userAgent,
          ]);
      }
  });

  it("include the cause of what is always true, which is reported once", () => {
    const always = "deny sdk.version != '3.1' || sdk.version != '3.2'";
    const found = lintRules(rulesOf(always, "deny true"));
    const codes = found.map(({ code }) => code);
    expect(codes).toContain("always-matches");
    expect(codes).not.toContain("constant-condition");
  });

  it.each(cellsOf(MORE))("include %s: %s", (code, rule = "") => {
    const [finding] = lintRules(rulesOf(rule));
    expect(finding?.code).toBe(code);
  });

  it("an allow rule for a bot stands behind the rule that denies all bots", () => {
    const [finding] = lintRules(
      rulesOf(
        "deny http.user_agent.is_crawler_bot",
        "allow http.user_agent.string contains 'Googlebot'",
        "deny true",
      ),
    );
    expect(finding).toMatchObject({
      code: "unreachable",
      edits: [{ kind: "move", to: 0 }],
    });
  });

  const BEHIND = String.raw`
deny http.user_agent.string matches 'Version/(9|1[0-7])\\.[0-9.]+ Safari/' | allow http.user_agent.is_crawler_bot
deny 'Accept' not in http.request.headers | allow http.user_agent.is_crawler_bot
deny http.request.ip in cidr('66.249.68.34/32') | allow http.request.ip in cidr('66.249.64.0/19')
`;

  it.each(cellsOf(BEHIND))(
    "an allow rule for clients stands behind %s",
    (...rules) => {
      const [finding] = lintRules(rulesOf(...rules)).filter(
        ({ code }) => code === "changes-nothing",
      );
      expect(finding).toMatchObject({
        edits: [{ kind: "move", to: 0 }],
        others: ["a"],
      });
    },
  );

  it("an allow rule is no exception to a deny rule that matches requests without the allowed field", () => {
    const [finding] = lintRules(
      rulesOf("deny len(sdk.version) == 0", "allow sdk.platform.is_unknown"),
    );
    expect(finding).toMatchObject({
      code: "changes-nothing",
      edits: [{ kind: "delete" }],
    });
  });

  /** A fix, and the rules that it is said about. */
  const FIXES = `
delete it | allow sdk.platform.is_ios ; allow sdk.platform.is_ios || sdk.platform.is_android
write '203.0.113.0/24' | deny http.request.ip in cidr('203.0.113.0/2')
write '2001:db8:7:1::/64' if the whole network is meant | deny http.request.ip in cidr('2001:db8:7:1:2:3:4:5/128')
decide requests without Referer by a condition of their own | deny any({header}['Referer'], # != 'https://a.io/')
deny the rest in a last rule, with the expression true, or delete it | deny 'Origin' not in {header} ; allow http.user_agent.string != 'EmailSiphon'
correct it, or delete it | deny any({header}['Origin'], # == 'https://a.io') || {header}['Origin'][0] != 'https://a.io'
`.replaceAll("{header}", "http.request.headers");

  it.each(cellsOf(FIXES))(
    "a fix is not found wrong itself: %s",
    (fix, rules = "") => {
      const found = lintRules(rulesOf(...rules.split(" ; ")));
      expect(found.map((each) => each.fix)).toContain(fix);
    },
  );

  it("no edit causes another warning about the same part", () => {
    const led = ALL.flatMap((mistake) => {
      const finding = findingOf(mistake);
      if (!finding?.edits?.every(({ kind }) => kind === "replace")) return [];
      const rules = rulesOf(...mistake.rules);
      const rule = rules[finding.index];
      if (!rule) return [];
      const [, expression] = edited(mistake, finding);
      const mended = rules.with(finding.index, { ...rule, expression });
      const [before, after] = [findingsOf(mistake), lintRules(mended)].map(
        (found) =>
          found
            .filter(({ severity }) => severity !== "note")
            .map(({ code }) => code),
      );
      const times = (codes: readonly string[] = [], code: string) =>
        codes.filter((one) => one === code).length;
      // Each text of a list has its own finding.
      return (after ?? [])
        .filter(
          (code) =>
            times(after, code) > times(before, code) ||
            (mistake.codes.includes(code) &&
              times(after, code) === times(before, code)),
        )
        .map((code) => [mistake.what, expression, code]);
    });
    expect(led).toEqual([]);
  });
});

describe("nothing is reported about an unusual but right set", () => {
  it("of at least 40", () => {
    expect(RIGHT_SETS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(RIGHT_SETS)("$what", ({ rules, codes }) => {
    const found = lintRules(rulesOf(...rules));
    expect(
      found
        .filter(({ code }) => !codes.includes(code))
        .map(({ code, message }) => [code, message]),
    ).toEqual([]);
    for (const { severity } of found) expect(severity).toBe("note");
  });
});
