import { join } from "node:path";
import * as devid from "@devid/pulumi";

const rules = new devid.FilteringRuleSet("rules", {
  rulesFile: join(__dirname, "rules.yaml"),
});

export const environment = rules.id;
