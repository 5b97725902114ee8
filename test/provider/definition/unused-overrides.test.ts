import { describe, expect, it } from "vitest";
import { unusedOverrides } from "../../../provider/src/definition/unused-overrides";

const declared = new Map([["ApiKey", new Set(["shop", "app"])]]);

const unused = (overrides: unknown, resources = declared) =>
  unusedOverrides("stack config devid:overrides", overrides, resources);

describe("names of resources in the setting overrides", () => {
  it("are named with the names that exist, if the program does not declare them", () => {
    expect(
      unused({
        ApiKey: { shop: { rateLimit: 1 }, shpo: {} },
        Webhook: { h: {} },
      }),
    ).toSay("overrides/not-declared");
  });

  it("are a bounded list", () => {
    const many = new Set(Array.from({ length: 30 }, (_, n) => `key${n + 10}`));
    const [message = ""] = unused(
      { ApiKey: { none: {} } },
      new Map([["ApiKey", many]]),
    );
    expect(message).toContain("key19 and 20 more.");
    expect(message).not.toContain("key20");
  });

  it.each([
    ["no setting", undefined],
    ["a text", "rules"],
    ["kinds without resources", { ApiKey: null, Webhook: 5 }],
    ["declared names", { ApiKey: { app: {}, shop: {} } }],
  ])("have no message for %s", (_, overrides) => {
    expect(unused(overrides)).toEqual([]);
  });
});
