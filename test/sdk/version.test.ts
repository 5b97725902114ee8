import { version } from "@devid/sdk";
import { expect, it } from "vitest";
import { textOf } from "../helpers/repository";

it("the version is the version in package.json", () => {
  const text = textOf("sdk/package.json");
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});
