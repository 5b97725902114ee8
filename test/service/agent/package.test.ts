import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { REGIONS as SDK_REGIONS } from "@devid/sdk";
import { expect, it } from "vitest";
import { version } from "../../../service/agent/agent";
import { REGIONS } from "../../../service/agent/options";

it("the version is the version in package.json", () => {
  const file = resolve(__dirname, "../../../service/package.json");
  const text = readFileSync(file, "utf8");
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});

it("the regions are the same as in the SDK", () => {
  expect(REGIONS).toEqual(SDK_REGIONS);
});

// contract: agent-6, agent-27
it.each(["docs/browser-agent.md", "docs/official-clients.md"])(
  "%s gives the contract's advice about times and the prefix",
  (path) => {
    const file = resolve(__dirname, "../../..", path);
    const text = readFileSync(file, "utf8").replace(/\s+/g, " ");
    expect(text).toMatch(/1 second between `start\(\)` and `get\(\)`/);
    expect(text).toMatch(/`timeout` (below|of) 2000/);
    expect(text).toMatch(/change `storageKeyPrefix`|same `storageKeyPrefix`/);
  },
);
