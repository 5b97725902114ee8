// The filtering rules: all rules of each environment, in order.
import * as devid from "@devid/pulumi";
import * as environments from "./environments";

export const defaultRules = new devid.FilteringRuleSet("default", {
  rulesFile: "rules/default.yaml",
});

export const staging = new devid.FilteringRuleSet("staging", {
  environment: environments.staging.id,
  rulesFile: "rules/staging.yaml",
});
