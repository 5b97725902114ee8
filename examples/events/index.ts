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

/** The environment that every workspace has. */
export const environment = devid.getEnvironmentOutput({ default: true }).name;

// Another object of another program, by its ID. This program does not own it.
const agentKey = devid.ApiKey.get("agent", config.require("agentKey"));

/** Stays a secret, in the output and in the state. */
export const publicToken = agentKey.token;
