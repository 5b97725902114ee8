import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { formatDiffMarkdown } from "../../../rules/src/report/diff-report";
import { formatDiffText } from "../../../rules/src/report/diff-report";
import { diffRules, type Rule } from "../../../rules/src";
import { expectGolden } from "../../helpers/golden";
import { allow, rule } from "../diff/rule";
import { withOneRequest } from "./with-one-request";

const origin = (host: string) =>
  `http.request.headers['Origin'][0] == 'https://${host}'`;
const CRAWLERS = rule("block-crawlers", "http.user_agent.is_crawler_bot");
const NETWORKS = "10.0.0.0/8 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24"
  .split(" ")
  .map((network) => `http.request.ip in cidr('${network}')`);
const OTHERS = rule("block-other-sites", "sdk.platform.is_browser");

/** Pairs of rule sets, by the name of their golden files. */
const CASES: Record<string, { before: Rule[]; after: Rule[] }> = {
  review: {
    before: [
      CRAWLERS,
      allow("allow-old-shop", origin("old.example")),
      allow("allow-our-shop", origin("shop.example")),
      allow("allow-partners", "sdk.version in ['3.1', '3.2']"),
      OTHERS,
    ],
    after: [
      allow("allow-partners", "sdk.version in ['3.1', '3.2', '3.3']"),
      CRAWLERS,
      rule("block-curl", "http.user_agent.string startsWith 'curl/'"),
      allow("allow-our-shop", origin("shop2.example")),
      OTHERS,
    ],
  },
  "every-kind": {
    before: [
      rule("turned-off", NETWORKS.join(" || ")),
      rule("turned-on", "sdk.platform.is_unknown", { status: "disabled" }),
      rule("action", "http.user_agent.is_ai_bot"),
      rule("a rule whose name is far too long for its column", NETWORKS[0]),
      rule("deep", `!(${NETWORKS.slice(0, 2).join(" || ")})`),
      rule("same", "sdk.platform.is_ios && true"),
    ],
    after: [
      rule("turned-off", NETWORKS.join(" || "), { status: "disabled" }),
      allow("action", "http.user_agent.is_ai_bot"),
      rule("deep", `not (${NETWORKS.join(" or ")})`),
      rule("turned-on", "sdk.platform.is_unknown"),
      rule(
        "a rule whose name is far too long for its column",
        `${NETWORKS.join(" || ")} || http.user_agent.string contains '${"x".repeat(90)}'`,
      ),
      rule("same", "(sdk.platform.is_ios) and true"),
      rule("new", NETWORKS.join(" || ")),
    ],
  },
  unreadable: {
    before: [rule("x", "http.request.asn == 64512"), CRAWLERS],
    after: [rule("x", "what is this"), rule("y", "true"), CRAWLERS],
  },
  same: { before: [CRAWLERS], after: [CRAWLERS] },
};

/** The cases that are recorded in both formats. */
const WHOLE = ["review", "every-kind"];

it.each(Object.entries(CASES))("shows %s", (name, { before, after }) => {
  const diff = withOneRequest(diffRules(before, after));
  const names = { before: "main/rules.yaml", after: "rules.yaml" };
  const text = formatDiffText(diff, names);
  const golden = `rules-diff/${name}`;
  expectGolden(`${golden}.txt`, text);
  if (WHOLE.includes(name))
    expectGolden(`${golden}.md`, formatDiffMarkdown(diff, names));

  const colored = formatDiffText(diff, { ...names, color: true });
  expect(stripVTControlCharacters(colored)).toBe(text);
  expect(colored === text).toBe(diff.changes.length === 0);
  const isLong = (line: string) => line.length > 80 && !line.includes("xxxxx");
  expect(text.split("\n").filter(isLong)).toEqual([]);
});
