import { expect, it, vi } from "vitest";
import { withoutKeys } from "../../../cli/src/output/without-keys";

it.each([
  "DEVID_MANAGEMENT_KEY",
  "DEVID_SECRET_KEY_EU",
  "PULUMI_ACCESS_TOKEN",
  "CLICKHOUSE_PASSWORD",
  "TRINO_PASSWORD",
])("a report does not show the value of %s", (name) => {
  vi.stubEnv(name, "a-canary");
  expect(withoutKeys({ said: ["refused: a-canary"] })).toEqual({
    said: ["refused: [redacted]"],
  });
});
