import type { Region } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import type { Store } from "../store/store";
import { compileReadable, type Decide } from "./compile-readable";

const compiled = new Map<string, Decide>();
const MAX_COMPILED = 100;

/**
 * What the rules of an environment decide, in their order; disabled ones are
 * skipped (docs/contract.md, "Evaluation order"). A rule set is compiled once
 * and kept by what it says, so that a change of rules acts at once
 * (docs/assumptions.md, A37).
 */
export function rulesInForce(
  { filteringRules }: Store,
  workspace: Region,
  environment: string,
): Decide {
  const rules = filteringRules
    .list(workspace, { environment })
    .map(({ name, expression, action, status, deny_with }): Rule => ({
      name,
      expression,
      action,
      status,
      denyWith: deny_with ?? undefined,
    }));
  const key = JSON.stringify(rules);
  const known = compiled.get(key);
  if (known) return known;
  const decide = compileReadable(rules);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, decide);
  return decide;
}
