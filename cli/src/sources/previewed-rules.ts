import {
  fromRuleSetState,
  RULE_SET,
  RuleSetState,
  SECRET_TEXT,
  UNKNOWN_TEXT,
  type Preview,
  type PreviewedResource,
} from "@devid/pulumi/state";
import type { Rule } from "@devid/rules";
import { z } from "zod";
import { UsageError } from "../errors";

/** The filtering rule sets of a preview. */
export const ruleSetsOf = ({ resources }: Preview) =>
  resources.filter(isRuleSet);

/** Whether a resource of a preview is a filtering rule set, of either form. */
export const isRuleSet = ({ kind }: PreviewedResource) => kind === RULE_SET;

/**
 * The rules that a rule set of a preview would put in force; empty if it is
 * deleted.
 * @param path name of the preview in error messages
 * @throws UsageError if some of the rules are unknown
 */
export function plannedRules(
  { name, after }: PreviewedResource,
  path: string,
): Rule[] {
  const where = `The rule set "${name}" in the preview ${path}`;
  return after ? rulesOf(after.inputs.rules, where) : [];
}

/**
 * The rules of a rule set in the state that a preview shows; empty for a new
 * rule set.
 * @throws UsageError as `plannedRules`
 */
export function recordedRules(
  { name, before }: PreviewedResource,
  path: string,
): Rule[] {
  const where = `The rule set "${name}" in the state that ${path} shows`;
  const { outputs, inputs } = before ?? {};
  return before ? rulesOf(outputs?.rules ?? inputs?.rules, where) : [];
}

/** The environment that a rule set of a preview belongs to. */
export type PreviewedEnvironment =
  | { readonly id: string }
  | "default"
  | "not known yet";

/**
 * The environment of a rule set after the deployment; for a deleted rule set,
 * its environment before.
 * @throws UsageError if the environment is a secret
 */
export function previewedEnvironment(
  shown: PreviewedResource,
): PreviewedEnvironment {
  const { name, after } = shown;
  const declared = after?.inputs.environment;
  if (declared === SECRET_TEXT)
    throw new UsageError(
      `The rule set "${name}" in the preview has a secret environment, which a preview does not show. Keep secret outputs out of environment.`,
    );
  if (declared === UNKNOWN_TEXT) return "not known yet";
  if (typeof declared === "string") return { id: declared };
  return recordedEnvironment(shown) ?? "default";
}

/** The environment of a rule set in the state; undefined for a new rule set. */
export function recordedEnvironment({ before }: PreviewedResource) {
  const id = before?.outputs.environmentId ?? before?.id;
  return typeof id === "string" ? { id } : undefined;
}

/**
 * Picks a rule set of a preview: the one with a name or URN, or the only one.
 * @throws UsageError, which lists the rule sets of the preview
 */
export function pickRuleSet(
  shown: readonly PreviewedResource[],
  path: string,
  resource: string | undefined,
): PreviewedResource {
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
  throw new UsageError(
    found
      ? `The preview ${path} shows several filtering rule sets; choose one with --resource: ${listed(shown)}.`
      : `The preview ${path} shows no filtering rule set "${resource}"; it shows ${listed(shown)}. pulumi preview --json --show-sames shows those that stay as they are, too.`,
  );
}

/**
 * Lists rule sets by their names, or by their URNs if two have the same name.
 */
export function listed(shown: readonly PreviewedResource[]): string {
  const areNamesUnique =
    new Set(shown.map(({ name }) => name)).size === shown.length;
  return shown.map(({ name, urn }) => (areNamesUnique ? name : urn)).join(", ");
}

function rulesOf(rules: unknown, where: string): Rule[] {
  const secret = findValue(rules, SECRET_TEXT);
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

/** The path of the first place where a text occurs in the rules. */
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
