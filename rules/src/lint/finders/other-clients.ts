import {
  checkExpression,
  printExpression,
  type RuleRequest,
} from "../../language";
import { botFlags } from "../../language/request/bot-flags";
import { tokensOf } from "../../language/syntax/lexer";
import { onceFor } from "../../once-for";
import { all } from "../../solver/condition";
import { realisticTexts } from "../../solver/realistic-texts";
import { withText } from "../set/comparison";
import { replacement, type FindInRule } from "../set/lint";
import {
  EMPTY,
  firstMatching,
  type LintedRule,
  type LintedSet,
} from "../set/linted-set";
import { seenIn, SHOWN, shown } from "../set/prove";
import { CHROME, inSdk, OF_APPS, OF_BROWSERS } from "../texts/clients";
import { textsIn } from "../texts/matches-others";
import { finds } from "../texts/text-claim";
import { userAgentOf } from "../texts/user-agent-words";
import { loopOf, positive } from "./missing-header";
import { agentsOf, factsOfApps } from "./constant-conditions";
import { asksFor, ofBoth } from "./rule-order";

/**
 * A request with a user agent of these clients. Its flags are those of `botFlags`, and are
 * written out because the first call of `botFlags` takes a tenth of a check.
 */
const withAgent = (request: RuleRequest, userAgent: string): RuleRequest => ({
  isAiBot: false,
  isCrawlerBot: /^(?:okhttp|python-requests)/.test(userAgent),
  ...request,
  userAgent,
  headers: { ...request.headers, "User-Agent": [userAgent] },
});

const PAGES = OF_BROWSERS.map((each) =>
  withAgent({ ...EMPTY, sdkPlatform: "js", sdkVersion: "3.11.0" }, each),
);
const APPS = OF_APPS.map((each) =>
  withAgent({ ...inSdk(each), sdkVersion: "2.6.0" }, each),
);
const TOOL = withAgent(EMPTY, "python-requests/2.32.0");
/** Requests of a tool, of apps and of pages. */
export const CLIENTS = [TOOL, ...APPS, ...PAGES];

/** Whether a user agent is that of a crawler, which others pretend to be. */
const isOfCrawler = (userAgent: string) =>
  /bot|spider|https?:/i.test(userAgent);

/** What browsers say, too: a rule that looks for it names no crawler. */
const OF_ANY =
  /\((?:Windows|Macintosh|X11|Linux|iP)[^)]*\)|(?:Mozilla|AppleWebKit|Gecko|Chrom\w+|Safari|Version|Mobile|Firefox|Trident|MSIE|Windows NT|Android|OS|OS X)[ /][\w.]+|Windows|Macintosh|X11|Linux|iP(?:hone|ad)/gi;

const CRAWLERS = ["Googlebot", "GPTBot"].map(userAgentOf);

const decides = (set: LintedSet, request: RuleRequest) =>
  firstMatching(set.enabled, request)?.rule.action ?? "allow";

/** Rules that keep people out because of their user agents, and name nothing of these. */
const keepsUnnamedOut: FindInRule = (rule, set) => {
  const { isDeny, ofAgents: named } = rule;
  if (!asksFor(/user_agent\.string/, rule) || (!isDeny && named.length > 0))
    return undefined;
  const isKeptOut = (request: RuleRequest) =>
    rule.isMatch(request) === isDeny && decides(set, request) === "deny";
  const request = [...PAGES, ...APPS].find(
    (each) =>
      isKeptOut(each) &&
      PAGES.some((page) => !isKeptOut(withAgent(each, page.userAgent ?? ""))),
  );
  if (!request) return undefined;
  const { userAgent = "" } = request;
  const isPage = PAGES.includes(request);
  if (named.some((each) => isPage || finds(each, userAgent))) return undefined;
  const says = "people have such user agents, too";
  return {
    ...seenIn(request, rule, says, `'${userAgent}'`),
    severity: isPage ? "warning" : "note",
    fix: "look for a text that only the intended user agents have",
  };
};

/** Requests of people, with and without an address and the SDK of pages. */
const PEOPLE = [EMPTY, ...PAGES.slice(0, 1)].flatMap((each) =>
  [undefined, "198.51.100.7"].map((ip) => withAgent({ ...each, ip }, CHROME)),
);

/** The example of a rule, from the browser of a person. */
const ofPerson = (rule: LintedRule) =>
  withAgent(
    { ...ofBoth(rule, rule), isAiBot: false, isCrawlerBot: false },
    CHROME,
  );

/** Requests of people that a set denies, also because of their networks. */
const peopleDenied = onceFor((set: LintedSet) =>
  [
    ...PEOPLE,
    ...set.enabled
      .filter((each) => each.isDeny && asksFor(/\.ip$/m, each))
      .slice(0, MOST_COMPARED)
      .map(ofPerson),
  ].filter((each) => decides(set, each) === "deny"),
);

/** Rules that let in or spare the name of a crawler, which anybody can write, where people are denied. */
const trustsName: FindInRule = (rule, set) => {
  const { isDeny } = rule;
  const asksBots = !isDeny && asksFor(/user_agent\.is_/, rule);
  const named = rule.ofAgents.filter(({ negated }) => negated === isDeny);
  if (!asksBots && named.length === 0) return undefined;
  const denied = [
    ...peopleDenied(set),
    ...(isDeny ? [ofPerson(rule)] : []),
  ].filter((each) => rule.isMatch(each) === isDeny);
  if (denied.length === 0) return undefined;
  const names = named.flatMap((comparison) =>
    agentsOf(comparison).filter(
      (each) =>
        isOfCrawler(each) && finds(comparison, each.replace(OF_ANY, "")),
    ),
  );
  const request = [
    ...names.slice(0, MOST_COMPARED),
    ...(asksBots ? CRAWLERS : []),
  ]
    .flatMap((name) =>
      denied.map((each) => withAgent({ ...each, ...botFlags(name) }, name)),
    )
    .find(
      (each) => rule.isMatch(each) !== isDeny && decides(set, each) === "allow",
    );
  if (!request) return undefined;
  const says = "anybody can write this name";
  return {
    ...seenIn(request, rule, says, `'${request.userAgent}'`),
    fix: "test the addresses of the crawler, too",
  };
};

/** The last branch `true` of a choice of clients. */
const othersAreTrue: FindInRule = (rule, set) =>
  rule.nodes.map(({ node }) => {
    const last = node.kind === "conditional" ? node.alternate : undefined;
    if (last?.kind !== "boolean" || !last.value) return undefined;
    const { isDeny } = rule;
    const found = shown(
      rule,
      set,
      replacement(last, "false"),
      "clients of no branch before it come to the last one",
      () => CLIENTS.filter((each) => isDeny || set.isPast(rule, each)),
    );
    return found && { ...found, severity: isDeny ? "note" : "warning" };
  });

/** `none(list, # != text)` in a rule that denies, which spares all others. */
const twoNegations: FindInRule = (rule, set) =>
  rule.nodes.map(({ node }) => {
    const condition = loopOf(node, "none")?.condition;
    // Most nodes are no loops, and a rule may have thousands of comparisons.
    if (!condition || !rule.isDeny) return undefined;
    const meant = positive(condition);
    const compared = rule.comparedAt(condition);
    if (!meant || !compared) return undefined;
    return shown(
      rule,
      set,
      replacement(condition, printExpression(meant), meant),
      "two negations cancel each other, so this looks for the named value itself",
      (around) =>
        [
          ...realisticTexts(compared.part, [compared.text]),
          compared.text,
        ].flatMap((each) => withText(around, compared, each)),
    );
  });

/** Two rules that each deny all but some values of one part, and so deny all values. */
const deniesSpared: FindInRule = (rule, set) => {
  const mine = sparedBy(rule);
  const other = (mine ? set.before(rule) : []).find((each) => {
    const its = sparedBy(each);
    return (
      its?.part === mine?.part &&
      rule.isMatch(its?.request ?? EMPTY) &&
      each.isMatch(mine?.request ?? EMPTY)
    );
  });
  const request = other && sparedBy(other)?.request;
  if (!request) return undefined;
  const { name } = other.rule;
  const says = `what "${name}" spares is denied here, and the other way round`;
  return {
    ...seenIn(request, rule, says, SHOWN),
    fix: "name all values in one rule, with not in [...]",
    others: [name],
  };
};

/** The part for which a rule that denies spares a text, and a request with this text. */
const sparedBy = onceFor((rule: LintedRule) => {
  const [spared] = rule.comparisons.filter(({ negated }) => negated);
  const [request] = spared ? withText(EMPTY, spared, spared.text) : [];
  return rule.isDeny && request && !rule.isMatch(request)
    ? { part: spared?.part, request }
    : undefined;
});

/** Rules that allow pages or apps, whoever sends the request. Others may well be exceptions. */
const allowsPlatforms = onceFor((set: LintedSet) =>
  set.enabled
    .filter(
      (each) =>
        !each.isDeny &&
        !asksFor(/\.ip$/m, each) &&
        (PAGES.every((page) => each.isMatch(page)) ||
          (!asksFor(/user_agent/, each) &&
            (asksFor(/^sdk\.platform/m, each) ||
              factsOfApps(each).length > 0))),
    )
    .slice(0, MOST_COMPARED),
);

const MOST_COMPARED = 10;

/** Rules whose clients a rule before them decides: all pages or apps, or a client that both name. */
const comesTooLate: FindInRule = (rule, set) => {
  const { action } = rule.rule;
  const isOfClients = asksFor(/user_agent|\.ip$/m, rule);
  // Whoever lets apps or pages of one origin in first may deny all others by a header.
  const isOfHeaders = asksFor(/headers/, rule) && !rule.isMatch(EMPTY);
  const letsIn = allowsPlatforms(set).filter(
    (each) =>
      action === "deny" &&
      (isOfClients || (isOfHeaders && !asksFor(/headers/, each))),
  );
  const named = rule.ofAgents
    .filter(({ negated }) => !negated)
    .flatMap(textsIn)
    .map((text) => userAgentOf(text.replace(/\W+$/, "")))
    .filter((each) => each !== "")
    .slice(0, MOST_COMPARED);
  const found = [
    ...letsIn.map((each) => [each, ofBoth(rule, each)] as const),
    ...named.flatMap((each) => {
      const flags = { ...EMPTY, ...botFlags(each) };
      // Another version may be decided by another rule.
      const old = withAgent(flags, each.replace(/(?<!Mozilla)\/\d+/g, "/1"));
      const other = firstMatching(set.enabled, old);
      return other && other.rule.action !== action && asksFor(/agent/, other)
        ? [[other, withAgent(flags, each)] as const]
        : [];
    }),
  ].find(
    ([each, request]) =>
      each.index < rule.index &&
      rule.isMatch(request) &&
      firstMatching(set.enabled, request) === each,
  );
  if (!found) return undefined;
  const [{ rule: other }, request] = found;
  return {
    severity: "note",
    message: `"${other.name}" before it ${action === "deny" ? "lets in some clients that it denies" : "denies some clients that it lets in"}`,
    fix: `move it in front of "${other.name}"`,
    request,
    others: [other.name],
  };
};

/** Headers that proxies add to the requests of people. */
const ADDED = /^(?:X-Forwarded-For|X-Real-Ip|Forwarded|Via)$/;

/** Rules that deny people because a proxy adds a header to their requests, whatever it says. */
const deniesAdded: FindInRule = (rule, set) => {
  const { isDeny } = rule;
  const [page = EMPTY] = PAGES;
  return rule.headers.map((part) => {
    if (!ADDED.test(part)) return undefined;
    const [request = page] = withText(page, { part }, "unknown");
    const isKeptOut =
      rule.isMatch(request) === isDeny &&
      rule.isMatch(page) !== isDeny &&
      decides(set, request) === "deny";
    const says = `people behind a proxy have ${part}, too`;
    return isKeptOut
      ? {
          ...seenIn(request, rule, says),
          severity: "note",
          fix: "look for another sign of the clients that are meant",
        }
      : undefined;
  });
};

/** A condition in a comment behind another one in the same line, as YAML joins lines. */
const inComment: FindInRule = (rule, set) => {
  // A folded block ends in a line break.
  const expression = rule.rule.expression.trimEnd();
  const comment =
    expression.includes("\n") || !/\/[/*]/.test(expression)
      ? undefined
      : tokensOf(expression).find(({ kind }) => kind === "comment");
  const [, operator = "", tail = ""] =
    /(\|\||&&)(.*)$/.exec(comment?.text ?? "") ?? [];
  if (tail === "" || !checkExpression(tail).ok) return undefined;
  const { root } = rule.expression;
  return shown(
    rule,
    set,
    replacement(
      root,
      `(${printExpression(root)}) ${operator} (${tail.trim()})`,
    ),
    "the rest of this line is a comment",
    undefined,
    all(),
  );
};

/** Finds rules that decide some clients otherwise than their words suggest. */
export const findOtherClients: FindInRule = (rule, set) =>
  [
    keepsUnnamedOut,
    trustsName,
    othersAreTrue,
    twoNegations,
    deniesSpared,
    comesTooLate,
    deniesAdded,
    inComment,
  ].flatMap((find) => find(rule, set));
