import {
  fromRuleSetState,
  RuleSetState,
  UNKNOWN_TEXT,
} from "@devid/pulumi/rule-sets";
import type { Rule } from "@devid/sdk/rules";
import { z } from "zod";
import { previewedRuleSets, type PreviewedRuleSet } from "./pulumi-preview";
import { UsageError } from "./usage-error";

/** What a preview prints in place of a secret. */
const SECRET = "[secret]";

/**
 * The rules that a preview would put in force.
 * @param path what errors call the preview
 * @param resource name or URN of the rule set, where the preview shows several
 * @throws UsageError when that is not one rule set, or not all of it is known
 */
export function previewedRules(
  text: string,
  path: string,
  resource?: string,
): Rule[] {
  const { name, rules } = pick(previewedRuleSets(text, path), path, resource);
  const where = `The rule set "${name}" in the preview ${path}`;
  const secret = findValue(rules, SECRET);
  if (secret)
    throw new UsageError(
      `${where} has a secret at ${secret}, which a preview does not show. Keep secret outputs out of rules, or compare the rule file itself.`,
    );
  const unknown = findValue(rules, UNKNOWN_TEXT);
  if (unknown)
    throw new UsageError(
      `${where} has a value at ${unknown} that is known only after an update. Compare again when what it depends on exists.`,
    );
  const state = RuleSetState.safeParse(rules);
  if (!state.success)
    throw new UsageError(
      `${where} cannot be read: ${z.prettifyError(state.error)}`,
    );
  try {
    return fromRuleSetState(state.data);
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message}`);
  }
}

function pick(
  shown: readonly PreviewedRuleSet[],
  path: string,
  resource: string | undefined,
): PreviewedRuleSet {
  const meant = shown.filter(
    ({ name, urn }) =>
      resource === undefined || name === resource || urn === resource,
  );
  const [found, ...others] = meant;
  if (found && others.length === 0) return found;
  if (shown.length === 0)
    throw new UsageError(
      `The preview ${path} changes no filtering rule set. pulumi preview --json --show-sames shows those that stay as they are, too.`,
    );
  const isTold = new Set(shown.map(({ name }) => name)).size === shown.length;
  const list = shown.map(({ name, urn }) => (isTold ? name : urn)).join(", ");
  throw new UsageError(
    found
      ? `The preview ${path} shows several filtering rule sets; choose one with --resource: ${list}.`
      : `The preview ${path} shows no filtering rule set "${resource}"; it shows ${list}.`,
  );
}

/** Path of the first place within the rules where a text stands. */
function findValue(rules: unknown, text: string): string | undefined {
  const find = (value: unknown, path: PropertyKey[]): string | undefined => {
    if (value === text) return z.core.toDotPath(path);
    if (typeof value !== "object" || value === null) return undefined;
    for (const [key, member] of Object.entries(value)) {
      const step = Array.isArray(value) ? Number(key) : key;
      const found = find(member, [...path, step]);
      if (found) return found;
    }
    return undefined;
  };
  return find(rules, ["rules"]);
}
