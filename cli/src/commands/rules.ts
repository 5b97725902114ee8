import { Command } from "commander";
import { rulesCheck } from "./rules-check";
import { rulesEval } from "./rules-eval";

/** `devid rules`: what can be said of filtering rules offline. */
export function rules(): Command {
  return new Command("rules")
    .description("check and evaluate filtering rules offline")
    .addCommand(rulesCheck())
    .addCommand(rulesEval());
}
