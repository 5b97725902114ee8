import type { Rule } from "./rule";

/** The form of a digest of rules: `sha256:` and 64 hexadecimal digits. */
export const RULES_DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/**
 * A digest of rules in their order: two lists have the same digest only if they have
 * the same names, expressions (byte for byte), actions, statuses and answers to denied
 * requests, in the same order.
 */
export function rulesDigest(rules: readonly Rule[]): string {
  const text = JSON.stringify(
    rules.map(({ name, expression, action, status, denyWith }) => [
      name,
      expression,
      action,
      status,
      action === "deny" ? (denyWith ?? "Forbidden") : null,
    ]),
  );
  // Loaded when it is needed: it takes longer to load than a rule file takes to read.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
