import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// The default provider uses the workspace of stack config or of the environment (region
// us by default). This provider uses a second workspace.
const eu = new devid.Provider("eu", {
  region: "eu",
  managementKey: config.requireSecret("managementKeyEu"),
});

const workspaces = [
  { region: "us", opts: {} },
  { region: "eu", opts: { provider: eu } },
];

export const keys = workspaces.map(({ region, opts }) => {
  const key = new devid.ApiKey(
    `shop-${region}`,
    { name: `Shop (${region})`, type: "public" },
    opts,
  );
  const rules = new devid.FilteringRuleSet(
    `rules-${region}`,
    {
      rules: [
        {
          name: "block-crawlers",
          expression: "http.user_agent.is_crawler_bot",
          action: "deny",
        },
      ],
    },
    opts,
  );
  return { region, key: key.id, environment: rules.id };
});
