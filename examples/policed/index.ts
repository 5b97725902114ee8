import { join } from "node:path";
import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

// `pulumi config set rulesFile everybody.yaml` is a change that the policy pack
// stops.
const rulesFile = new pulumi.Config().get("rulesFile") ?? "rules.yaml";

const shop = new devid.ApiKey("shop", {
  name: "Shop",
  type: "public",
  rateLimit: 50,
});

const rules = new devid.FilteringRuleSet("rules", {
  rulesFile: join(__dirname, rulesFile),
});

export const token = shop.token;
export const environment = rules.id;
