// The API keys.
import * as devid from "@devid/pulumi";
import * as environments from "./environments";

export const shopBrowser = new devid.ApiKey("shop-browser", {
  name: "Shop browser",
  type: "public",
  rateLimit: 5,
});

export const shopServer = new devid.ApiKey("shop-server", {
  name: "Shop server",
  description: "Reads events in the checkout service.",
  type: "secret",
  rateLimit: 50,
});

export const stagingBrowser = new devid.ApiKey("staging-browser", {
  name: "Staging browser",
  type: "public",
  environment: environments.staging.id,
  rateLimit: 5,
});
