// A program that is compiled and never run: `tsc -b` checks it under `strict`
// with `exactOptionalPropertyTypes`, and each `@ts-expect-error` has to be one.
import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

/** A resource of another provider, which takes our outputs. */
class Parameter extends pulumi.CustomResource {
  constructor(
    name: string,
    args: {
      readonly value: pulumi.Input<string>;
      readonly path?: pulumi.Input<string>;
    },
  ) {
    super("other:index:Parameter", name, args);
  }
}

const key = new devid.ApiKey("shop", { name: "Shop", type: "public" });
const hook = new devid.Webhook("hook", { url: "https://shop.example/hook" });
const sealing = new devid.EncryptionKey("sealing", {});
const rotating = new devid.RotatingApiKey("server", {
  name: "Server",
  type: "secret",
  generations: ["2026-10"],
});

/** A program that passes our outputs to another provider. */
export function outputsFitOtherProviders(): void {
  new Parameter("token", { value: key.token, path: key.environmentId });
  new Parameter("rotating", { value: rotating.token });
  new Parameter("signing", { value: hook.signingKey });
  new Parameter("sealing", {
    value: sealing.token,
    path: sealing.environmentId,
  });
  new Parameter("length", {
    value: pulumi.interpolate`${key.token.apply((token) => token.length)}`,
  });
  // @ts-expect-error -- it is undefined where the key has no token
  new Parameter("perhaps", { value: devid.ifKnown(key.token) });
  // @ts-expect-error -- it is absent for as long as the key is enabled
  new Parameter("disabled", { value: key.disabledAt });
}

/** Which provider a data source asks. */
export async function dataSourcesTakeOurProvider(
  other: pulumi.ProviderResource,
): Promise<void> {
  const provider = new devid.Provider("eu", { region: "eu" });
  await devid.getEvents({}, { provider });
  devid.getEventsOutput({}, { provider, dependsOn: key });
  // @ts-expect-error -- the provider of another package
  await devid.getEvents({}, { provider: other });
  // @ts-expect-error -- the provider of another package
  devid.getEventsOutput({}, { provider: other });
}

/** A program that passes outputs of one of our resources to another. */
export function outputsFitOurArguments(config: pulumi.Config): void {
  new devid.ApiKey("second", {
    name: key.name,
    type: key.type,
    environment: key.environmentId,
    description: key.description,
    status: "disabled",
    rotation: config.get("rotation"),
    adopt: config.getObject<{ id: string }>("adopt"),
  });
  new devid.Webhook("second", {
    url: hook.url,
    environment: key.environment,
    description: config.get("description"),
  });
  new devid.Provider("eu", {
    region: "eu",
    managementKey: config.getSecret("key"),
    endpoint: config.get("endpoint"),
  });
}

/** A mistake in a choice is a compile error in the line of the mistake. */
export function choicesAreChecked(): void {
  // @ts-expect-error -- there is no such type of key
  new devid.ApiKey("typo", { name: "Shop", type: "pubic" });
  // @ts-expect-error -- a key has a type
  new devid.ApiKey("untyped", { name: "Shop" });
}

const plain = [
  {
    name: "crawlers",
    expression: "http.user_agent.is_crawler_bot",
    action: "deny",
  },
  { name: "rest", expression: "true", action: "allow", status: "enabled" },
];
const constant = [
  { name: "rest", expression: "true", action: "deny", denyWith: "Forbidden" },
] as const;

/** A rule with the type that a program may give it. */
interface Rule {
  readonly name: string;
  readonly expression: string;
  readonly action: string;
  readonly status?: string;
}

/** The possible sources of the rules of a set. */
export function rulesComeFromOnePlace(
  config: pulumi.Config,
  some: readonly Rule[],
): void {
  new devid.FilteringRuleSet("plain", { rules: plain });
  new devid.FilteringRuleSet("constant", { rules: constant });
  new devid.FilteringRuleSet("typed", { rules: some });
  new devid.FilteringRuleSet("spread", { rules: [...plain, ...constant] });
  new devid.FilteringRuleSet("mapped", {
    rules: ["a", "b"].map((name) => ({
      name,
      expression: `ip == "${name}"`,
      action: "deny",
    })),
  });
  new devid.FilteringRuleSet("output", { rules: pulumi.output(plain) });
  new devid.FilteringRuleSet("config", {
    rules: config.requireObject<typeof plain>("rules"),
  });
  new devid.FilteringRuleSet("partly", {
    environment: key.environmentId,
    rules: [
      {
        name: "listed",
        expression: pulumi.interpolate`ip == "${key.id}"`,
        action: pulumi.output("deny"),
        status: config.get("status"),
      },
    ],
  });
  new devid.FilteringRuleSet("file", { rulesFile: "rules.yaml" });
  new devid.FilteringRuleSet("file or rules", {
    takeOver: true,
    ...(some.length > 0 ? { rules: some } : { rulesFile: "rules.yaml" }),
  });

  // @ts-expect-error -- one of them is needed
  new devid.FilteringRuleSet("neither", {});
  // @ts-expect-error -- a set without rules is not a set
  new devid.FilteringRuleSet("settings", { allowEmpty: true });
  // @ts-expect-error -- not both
  new devid.FilteringRuleSet("both", { rules: plain, rulesFile: "rules.yaml" });
  new devid.FilteringRuleSet("incomplete", {
    // @ts-expect-error -- a rule has an expression
    rules: [{ name: "a", action: "deny" }],
  });
  new devid.FilteringRuleSet("number", {
    // @ts-expect-error -- an action is a text
    rules: [{ name: "a", expression: "true", action: 1 }],
  });
  new devid.FilteringRuleSet("choice", {
    rules: plain,
    // @ts-expect-error -- outside of a list, a choice is one of its texts
    onDrift: "ignore",
  });
}
