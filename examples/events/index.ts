import * as devid from "@devid/pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const visitorId = config.require("visitorId");

// Data sources are read in a preview, too.
const seen = devid.getEventsOutput({ visitorId, maxEvents: 1_000 });

// The service counts the matches. No event has to be fetched.
const bots = devid.getEventsOutput({
  bot: "bad",
  maxEvents: 1,
  totalHits: 1_000,
});

// Arguments may be Outputs: the newest event of the visitor, read whole.
const newest = seen.events.apply(([event]) => event?.event_id ?? "");
const event = devid.getEventOutput({ eventId: newest });

const reputation = devid.getDeviceReputationOutput({
  visitorId,
  signals: ["regional_activity"],
});

/** What the visitor did. */
export const visitor = {
  events: seen.events.length,
  lastUrl: event.url,
  countries: reputation.apply(
    ({ regionalActivity }) =>
      regionalActivity?.countries.map(({ code }) => code) ?? [],
  ),
};

/** Number of events of bad bots in the workspace, counted up to a thousand. */
export const badBots = bots.totalHits;

/** Numbers of objects in the workspace. */
export const workspace = {
  environments: devid
    .getEnvironmentsOutput()
    .apply((found) => found.map(({ name }) => name)),
  rules: devid
    .getFilteringRulesOutput()
    .apply((found) => found.map(({ name }) => name)),
  webhooks: devid.getWebhooksOutput({ status: "enabled" }).length,
  // These answers contain tokens, so they are secrets. A count is no secret.
  keys: pulumi.unsecret(devid.getApiKeysOutput().length),
  encryptionKeys: pulumi.unsecret(devid.getEncryptionKeysOutput().length),
};

// Single objects of other programs, found by their properties.
const production = devid.getEnvironmentOutput({ default: true });
const sealing = devid.getEncryptionKeyOutput({ environment: production.id });
const agentKey = devid.getApiKeyOutput({ name: config.require("agentKey") });
const webhook = devid.getWebhookOutput({ url: config.require("webhookUrl") });

/**
 * Settings of a page and its server. A token stays a secret, in the output and in the
 * state.
 */
export const site = {
  environment: production.name,
  publicToken: agentKey.token,
  sealing: pulumi.unsecret(sealing.status),
  webhook: pulumi.unsecret(webhook.id),
};

/** The token of the first public key. */
export const publicToken = devid
  .getApiKeysOutput({ type: "public" })
  .apply(([key]) => key?.token);
