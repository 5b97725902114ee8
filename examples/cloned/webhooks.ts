// The webhooks.
import * as devid from "@devid/pulumi";
import * as environments from "./environments";

export const hooksShopExampleFraud = new devid.Webhook(
  "hooks-shop-example-fraud",
  {
    url: "https://hooks.shop.example/fraud",
    description: "Feeds the fraud team's queue.",
  },
);

export const hooksShopExampleStaging = new devid.Webhook(
  "hooks-shop-example-staging",
  {
    url: "https://hooks.shop.example/staging",
    environment: environments.staging.id,
  },
);
