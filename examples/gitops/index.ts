import { join } from "node:path";
import * as devid from "@devid/pulumi";

const { RULES_ENVIRONMENT, EXPECTED_IN_FORCE } = process.env;

const rules = new devid.FilteringRuleSet("rules", {
  // Of the default environment, unless the pipeline names another by its ID.
  environment: RULES_ENVIRONMENT || undefined,
  rulesFile: join(__dirname, "rules.yaml"),
  // Set by the pipelines. An empty one is refused, so that the guard is never
  // off by mistake.
  expectedInForce: EXPECTED_IN_FORCE,
});

export const environment = rules.id;
