import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { REGIONS as SDK_REGIONS } from "@devid/sdk";
import { expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import { version } from "../../../service/agent/agent";
import { REGIONS } from "../../../service/agent/start-options";
import type {
  IdentificationAnswer,
  IdentificationBody,
  IdentificationErrorBody,
} from "../../../service/agent/wire";
import type * as service from "../../../service/src/agent/identification-wire";

it("the version is the version in package.json", () => {
  const file = resolve(__dirname, "../../../service/package.json");
  const text = readFileSync(file, "utf8");
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});

it("the regions are the same as in the SDK", () => {
  expect(REGIONS).toEqual(SDK_REGIONS);
});

// contract: agent-49
it("the agent and the local service agree about the types of requests and answers", () => {
  expectTypeOf<IdentificationBody>().toExtend<
    z.input<typeof service.IdentificationBody>
  >();
  expectTypeOf<keyof IdentificationBody>().toEqualTypeOf<
    keyof z.input<typeof service.IdentificationBody>
  >();
  expectTypeOf<
    z.output<typeof service.IdentificationAnswer>
  >().toEqualTypeOf<IdentificationAnswer>();
  expectTypeOf<
    z.output<typeof service.IdentificationErrorBody>
  >().toEqualTypeOf<IdentificationErrorBody>();
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
