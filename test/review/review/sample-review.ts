import {
  reviewRules,
  type Review,
  type ReviewSubject,
} from "../../../review/src";
import type { Rule } from "../../../rules/src";
import { allow, rule } from "../../rules/diff/rule";
import { IMPACT } from "./sample-impact";

const origin = (host: string) =>
  `http.request.headers['Origin'][0] == 'https://${host}'`;

/** The base of the sample. */
export const BASE: readonly Rule[] = [
  rule("block-crawlers", "http.user_agent.is_crawler_bot"),
  allow("allow-old-shop", origin("old.example")),
  allow("allow-our-shop", origin("shop.example")),
  allow("allow-partners", "sdk.version in ['3.1.0', '3.2.0']"),
  rule("block-other-sites", "sdk.platform.is_browser"),
];

/** A rule file with findings, tests and changes of every kind. */
export const RULES = `rules:
  - name: allow-partners
    expression: sdk.version in ['3.1.0', '3.2.0', '3.3.0']
    action: allow
  - name: block-crawlers
    expression: http.user_agent.is_crawler_bot
    action: deny
  - name: block-curl
    expression: http.user_agent.string startsWith 'curl/'
    action: deny
  - name: allow-our-shop
    expression: http.request.headers['Origin'][0] == 'https://shop2.example'
    action: allow
  - name: block-other-sites
    expression: sdk.platform.is_browser
    action: deny
  - name: block-old-curl
    expression: http.user_agent.string startsWith 'curl/7.'
    action: deny
    status: disabled
tests:
  - name: curl is denied
    request: { userAgent: curl/8.5.0 }
    expect: { deny: block-curl }
  - name: our shop is served
    request: { headers: { Origin: https://shop.example }, sdkPlatform: js }
    expect: { allow: allow-our-shop }
`;

/** What the sample reviews. */
export const SAMPLE: ReviewSubject = {
  path: "shop/rules.yaml",
  text: RULES,
  base: { name: "main", rules: BASE },
  impact: IMPACT,
};

/** The review of the sample, unless `other` says otherwise. */
export function sampleReview(other: Partial<ReviewSubject> = {}): Review {
  return reviewRules({ ...SAMPLE, ...other });
}
