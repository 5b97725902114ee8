import { z } from "zod";
import { UsageError } from "./usage-error";

const RULE_SET_TYPE = "pulumi-nodejs:dynamic/devid:FilteringRuleSet";

const ResourceState = z.object({
  type: z.string(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});

/** The output of `pulumi preview --json`, as far as it is read. */
const Preview = z.object({
  steps: z
    .array(
      z.object({
        urn: z.string(),
        oldState: ResourceState.nullish(),
        newState: ResourceState.nullish(),
      }),
    )
    .default([]),
  diagnostics: z
    .array(z.object({ severity: z.string(), message: z.string() }))
    .default([]),
});

/** A filtering rule set that a preview shows. */
export interface PreviewedRuleSet {
  readonly name: string;
  readonly urn: string;
  /** Its rules as the preview has them, in the form of the state; none of a set that is deleted. */
  readonly rules: unknown;
}

/** Whether a text is the output of `pulumi preview --json`. */
export function isPreview(text: string): boolean {
  // A rule file is YAML nearly always, and then this is no cost.
  if (!text.trimStart().startsWith("{")) return false;
  try {
    const value = JSON.parse(text) as object;
    return "steps" in value || "changeSummary" in value;
  } catch {
    return false;
  }
}

/**
 * The rule sets that a preview shows as they would be.
 * @param path what errors call it
 * @throws UsageError when the preview failed
 */
export function previewedRuleSets(
  text: string,
  path: string,
): PreviewedRuleSet[] {
  const read = Preview.safeParse(JSON.parse(text));
  if (!read.success)
    throw new UsageError(
      `${path} is not the output of pulumi preview --json: ${z.prettifyError(read.error)}`,
    );
  const { steps, diagnostics } = read.data;
  const failure = diagnostics.find(({ severity }) => severity === "error");
  if (failure)
    throw new UsageError(
      `The preview ${path} failed, so it does not show which rules there would be: ${failure.message.trim()}`,
    );
  const shown = new Map<string, PreviewedRuleSet>();
  for (const { urn, oldState, newState } of steps) {
    if ((newState ?? oldState)?.type !== RULE_SET_TYPE) continue;
    // A replacement has a step for the old one as well.
    if (!newState && shown.has(urn)) continue;
    const name = urn.split("::").slice(3).join("::");
    shown.set(urn, { name, urn, rules: newState ? newState.inputs.rules : {} });
  }
  return [...shown.values()];
}
