import { isDeepStrictEqual } from "node:util";
import type { Rule } from "@devid/sdk";

/** What differs between two rule sets, a line each, rules told by their names; empty when nothing does. */
export function ruleChanges(
  before: readonly Rule[],
  after: readonly Rule[],
): string[] {
  const was = new Map(before.map((rule) => [rule.name, rule]));
  const is = new Map(after.map((rule) => [rule.name, rule]));
  const lines: string[] = [];
  for (const rule of after)
    if (!was.has(rule.name))
      lines.push(`+ "${rule.name}": ${rule.action} if ${rule.expression}`);
  for (const rule of before)
    if (!is.has(rule.name))
      lines.push(`- "${rule.name}": ${rule.action} if ${rule.expression}`);
  for (const rule of after) {
    const old = was.get(rule.name);
    if (!old) continue;
    for (const field of FIELDS)
      if (old[field] !== rule[field])
        lines.push(
          `~ "${rule.name}" ${field}: ${old[field] ?? "none"} -> ${rule[field] ?? "none"}`,
        );
  }
  const kept = (rules: readonly Rule[], others: ReadonlyMap<string, Rule>) =>
    rules.map((rule) => rule.name).filter((name) => others.has(name));
  const order = kept(after, was);
  if (!isDeepStrictEqual(kept(before, is), order))
    lines.push(`~ order: now ${order.map((name) => `"${name}"`).join(", ")}`);
  return lines;
}

const FIELDS = ["expression", "action", "status", "denyWith"] as const;
