import { readFileSync } from "node:fs";
import path from "node:path";
import { version } from "@devid/sdk";
import { expect, it } from "vitest";

it("the version is the version in package.json", () => {
  const file = path.join(__dirname, "../../sdk/package.json");
  const text = readFileSync(file, "utf8");
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});
