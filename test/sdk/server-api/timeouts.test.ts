import { DEFAULT_TIMEOUTS, Redactor } from "@devid/sdk";
import { expect, it } from "vitest";
import { secretKeyApis } from "../../../sdk/src/server-api/server-api";
import { configurationFrom } from "../workspace";

const configuration = configurationFrom({ endpoint: "http://127.0.0.1:9" });
const redactor = new Redactor();

it("a search has more time than the service takes to give up", () => {
  const { events, legacy } = secretKeyApis(configuration, { redactor });
  for (const { surface } of [events, legacy])
    expect(surface.transport.timeouts?.headersTimeoutMs).toBeGreaterThan(
      35_000,
    );
});

it("time limits that are given are kept", () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, headersTimeoutMs: 5 };
  const { events } = secretKeyApis(configuration, { redactor, timeouts });
  expect(events.surface.transport.timeouts).toEqual(timeouts);
});
