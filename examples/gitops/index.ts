import { join } from "node:path";
import * as devid from "@devid/pulumi";

const { RULES_ENVIRONMENT, EXPECTED_IN_FORCE } = process.env;

const rules = new devid.FilteringRuleSet("rules", {
  // Default: the default environment. The pipeline may name another environment by ID.
  environment: RULES_ENVIRONMENT || undefined,
  rulesFile: join(__dirname, "rules.yaml"),
  // The pipelines set this. An empty text is refused, so that the guard is never off by
  // mistake.
  expectedInForce: EXPECTED_IN_FORCE,
});

export const environment = rules.id;
