/**
 * Where teams report a mistake of this kind: `cors`, checks of origins; `waf`, rules
 * of web application firewalls; `policy`, linters of policy languages; `proxy`,
 * configurations of proxies and CDNs; `regex`, reviews of patterns; `mobile`, releases
 * of apps; `review`, comments on pull requests of rules.
 */
type Source =
  "cors" | "waf" | "policy" | "proxy" | "regex" | "mobile" | "review";

/** A mistake that a team made, and the lint that finds it. */
export interface ReportedMistake {
  readonly source: Source;
  readonly what: string;
  readonly code: string;
  /** In the form that `rulesOf` reads. */
  readonly rules: readonly string[];
}

export const ORIGIN = "http.request.headers['Origin']";
export const REFERER = "http.request.headers['Referer']";
export const UA = "http.user_agent.string";
export const APP = "sdk.platform.app_package_name";

/** The values of a header. */
export const header = (name: string) => `http.request.headers['${name}']`;
export const deny = (condition: string) => [`deny ${condition}`];
export const only = (condition: string) => [`allow ${condition}`, "deny true"];
export const origin = (condition: string) =>
  only(`any(${ORIGIN}, ${condition})`);
export const referer = (condition: string) =>
  only(`any(${REFERER}, ${condition})`);

/** A mistake for each row. */
export const mistakes = (
  source: Source,
  rows: readonly (readonly [
    what: string,
    code: string,
    rules: readonly string[],
  ])[],
): ReportedMistake[] =>
  rows.map(([what, code, rules]) => ({ source, what, code, rules }));
