import { APP_MISTAKES } from "./apps";
import { CONDITION_MISTAKES } from "./conditions";
import { CORS_MISTAKES } from "./cors";
import { FIREWALL_MISTAKES } from "./firewalls";
import { HEADER_MISTAKES } from "./headers";
import { MOBILE_MISTAKES } from "./mobile";
import { ORIGIN_MISTAKES } from "./origins";
import { PATTERN_MISTAKES } from "./patterns";
import { POLICY_MISTAKES } from "./policy";
import { PROXY_MISTAKES } from "./proxy";
import { REGEX_MISTAKES } from "./regex";
import type { ReportedMistake } from "./reported-mistake";
import { REVIEW_MISTAKES } from "./review";
import { TRIAL_MISTAKES } from "./trial";
import { USER_AGENT_MISTAKES } from "./user-agents";
import { WAF_MISTAKES } from "./waf";

/**
 * Kinds of mistakes that teams report in public, in our own words. Each table was
 * written before any lint ran on it.
 */
export const MISTAKES: readonly ReportedMistake[] = [
  ...CORS_MISTAKES,
  ...PROXY_MISTAKES,
  ...WAF_MISTAKES,
  ...POLICY_MISTAKES,
  ...REGEX_MISTAKES,
  ...MOBILE_MISTAKES,
  ...REVIEW_MISTAKES,
];

/**
 * Mistakes of other kinds that were collected later. At first lint found 86 of the
 * first 197 (44 %). `FIREWALL_MISTAKES` are those of 119 others that it did not find, and
 * some that it did: 66 at first (55 %), 110 today (92 %).
 */
export const LATER_MISTAKES: readonly ReportedMistake[] = [
  ...USER_AGENT_MISTAKES,
  ...HEADER_MISTAKES,
  ...CONDITION_MISTAKES,
  ...PATTERN_MISTAKES,
  ...ORIGIN_MISTAKES,
  ...APP_MISTAKES,
  ...TRIAL_MISTAKES,
  ...FIREWALL_MISTAKES,
];
