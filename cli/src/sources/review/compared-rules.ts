import { UsageError } from "../../errors";
import { configuredClient } from "../configured-client";
import { LiveRules } from "../live-rules";
import type { PreviewedEnvironment } from "../previewed-rules";
import { reviewBase } from "./review-base";
import { isFile } from "../rule-files";
import { ruleSetInFile, type NamedRuleSet } from "../rule-set-source";

/** Two rule sets to compare, as the user named them. */
export interface ComparedRules {
  /**
   * What the new rules are compared with (`--base` of an impact, the first argument of a
   * diff): `live`, a file, a git ref or `REF:PATH`. Default: for a rule file the target
   * branch of the change, for a preview the rules in force.
   */
  readonly before?: string;
  /** The new rules: a rule file, the output of `pulumi preview --json`, or `live`. */
  readonly after: string;
}

/**
 * Options that say which rules are meant if the name of a source leaves it
 * open.
 */
export interface SourceOptions {
  /**
   * ID or name of the environment of `live` rules. Default: the environment of the
   * preview on the other side. Without a preview, the default environment.
   */
  readonly environment?: string;
  /** Region of `live` rules. */
  readonly region?: string;
  /** Name or URN of a rule set of a preview. */
  readonly resource?: string;
}

/** Two rule sets to compare, and whether one of them is live. */
interface RuleSets {
  readonly before: NamedRuleSet;
  readonly after: NamedRuleSet;
  readonly isLive: boolean;
}

/**
 * Reads two rule sets to compare. Next to a preview, `live` means the rules in
 * force in the preview's environment.
 * @throws UsageError; RuleFileError, also for a mistake in an expression; the
 * errors of the client
 */
export async function readRuleSets(
  compared: ComparedRules,
  options: SourceOptions,
): Promise<RuleSets> {
  const { after } = compared;
  const { resource } = options;
  const is = after === "live" ? undefined : ruleSetInFile(after, resource);
  const before = compared.before ?? (is?.environment ? "live" : undefined);
  const was =
    before === "live"
      ? undefined
      : await baseRules(before, is, { path: after, resource });
  const isNextTo = (was ?? is)?.environment;
  const live = () => readLive(options, isNextTo);
  return {
    before: was ?? (await live()),
    after: is ?? (await live()),
    isLive: !was || !is,
  };
}

async function baseRules(
  name: string | undefined,
  is: NamedRuleSet | undefined,
  { path, resource }: { readonly path: string; readonly resource?: string },
): Promise<NamedRuleSet> {
  if (name !== undefined && (is === undefined || isFile(name)))
    return ruleSetInFile(name, resource);
  if (is === undefined)
    throw new UsageError("Name what the live rules are compared with: a file.");
  if (is.environment !== undefined && !name?.includes(":"))
    throw new UsageError(
      `"${name}" is not a file, and a git ref alone does not say which file to compare the preview with: write REF:PATH.`,
    );
  const base = await reviewBase(path, name, () => Promise.resolve(undefined));
  if ("absent" in base)
    throw new UsageError(
      `There are no rules to compare with: ${base.absent}. Name another base: live for the rules in force, a git ref or a file.`,
    );
  if (base.note !== undefined) process.stderr.write(`devid: ${base.note}.\n`);
  return base;
}

async function readLive(
  options: SourceOptions,
  previewed: PreviewedEnvironment | undefined,
): Promise<NamedRuleSet> {
  if (options.environment === undefined && previewed === "not known yet")
    return { name: "live (an environment that is not there yet)", rules: [] };
  const id = typeof previewed === "object" ? previewed.id : undefined;
  const live = new LiveRules(configuredClient(options));
  return live.named(options.environment ?? id);
}
