import { configurationOf, Redactor } from "@devid/sdk";
import { expect, it } from "vitest";
import { Credential } from "../../../sdk/src/http/redact";
import { DEFAULT_TIMEOUTS } from "../../../sdk/src/http/timeouts";
import { serverApis } from "../../../sdk/src/server-api/server-api";

const configuration = configurationOf({ endpoint: "http://127.0.0.1:9" });
const redactor = new Redactor();
const KEY = new Credential("a-key");

it("a search has a longer timeout than the service's time limit", () => {
  const { events } = serverApis(configuration, KEY, { redactor });
  const { timeouts } = events.transport;
  expect(timeouts?.headersTimeoutMs).toBeGreaterThan(35_000);
});

it("given timeouts are kept", () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, headersTimeoutMs: 5 };
  const { events } = serverApis(configuration, KEY, { redactor, timeouts });
  expect(events.transport.timeouts).toEqual(timeouts);
});
