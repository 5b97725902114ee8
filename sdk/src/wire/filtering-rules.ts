import * as z from "zod";

export { issueMessage } from "./open-enum";
export { Status, STATUSES } from "./status";

/** Actions of a filtering rule for a request that matches. */
export const RULE_ACTIONS = ["allow", "deny"] as const;

/** Answers to a denied request. The service has one. */
export const DENY_WITH = ["Forbidden"] as const;

/** `action` of a filtering rule as it is sent. */
export const RuleAction = z.enum(RULE_ACTIONS);

/** `deny_with` of a filtering rule as it is sent. */
export const DenyWith = z.enum(DENY_WITH);

/** `name` of a filtering rule: not empty. The service documents no other bound. */
export const RuleName = z.string().min(1);

/** `expression` of a filtering rule: not empty. */
export const RuleExpression = z
  .string()
  .refine((text) => text.trim() !== "", "must not be empty");

/**
 * The request of `POST /filtering-rules/test`. Its members are camelCase in the
 * contract.
 */
export const TestRequestPayload = z.strictObject({
  headers: z.record(z.string(), z.array(z.string())).optional(),
  ip: z.string().optional(),
  userAgent: z.string().optional(),
  sdkPlatform: z.string().optional(),
  sdkVersion: z.string().optional(),
  appPackageName: z.string().optional(),
});
