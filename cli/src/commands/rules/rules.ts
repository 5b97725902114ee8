import { Command } from "commander";
import { rulesCheck } from "./rules-check";
import { rulesDiff } from "./rules-diff";
import { rulesEval } from "./rules-eval";
import { rulesFmt } from "./rules-fmt";
import { rulesImpact } from "./rules-impact";
import { rulesInForce } from "./rules-in-force";
import { rulesReview } from "./rules-review";
import { rulesTest } from "./rules-test";

/** `devid rules`: the commands for filtering rules. */
export function rules(): Command {
  return new Command("rules")
    .addCommand(rulesCheck())
    .addCommand(rulesTest())
    .addCommand(rulesFmt())
    .addCommand(rulesDiff())
    .addCommand(rulesInForce())
    .addCommand(rulesImpact())
    .addCommand(rulesReview())
    .addCommand(rulesEval());
}
