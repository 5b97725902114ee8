import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import * as registry from "../../provider/src/registry";

const ROOT = resolve(__dirname, "../..");

/** The code that treats every kind alike: what it must know of a kind is in the definition. */
const ROOMS = ["provider/src", "clone/src", "cli/src", "review/src"];

/** Where a kind is named besides: definitions, what `npm run gen` writes, and the table of data sources. */
const NAMED = [
  /^provider\/src\/resources\//,
  /^provider\/src\/program\/(resources|dynamic\/classes|plugin\/classes)\.ts$/,
  /^provider\/src\/(registry|kinds)\.ts$/,
  /^provider\/src\/functions\/objects\.ts$/,
];

/** An environment is the place of other objects, a rule set has the rules that reviews are about. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "provider/src/generate/generate.ts": ["Environment"],
  "provider/src/program/rotating-api-key.ts": ["ApiKey"],
  "clone/src/read/clone-kinds.ts": ["Environment"],
  // The example of a README.
  "clone/src/write/readme.ts": ["ApiKey", "FilteringRuleSet", "Webhook"],
  "cli/src/ci/review.ts": ["FilteringRuleSet"],
  "cli/src/output/event-text.ts": ["Environment"],
  "cli/src/sources/applied.ts": ["FilteringRuleSet"],
  "cli/src/sources/previewed-rules.ts": ["FilteringRuleSet"],
  "review/src/review/fail-condition.ts": ["FilteringRuleSet"],
  "review/src/review/review-plan.ts": ["Environment"],
};

it("no code outside the definitions names a kind", () => {
  const kinds = Object.keys(registry);
  const named = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${room}/${file}`),
  )
    .filter((file) => !NAMED.some((place) => place.test(file)))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const code = text.replace(/^ *(\/\/|\/?\*).*$/gm, "");
      // As a text, or as the name of a member.
      return kinds
        .filter((kind) => new RegExp(`"${kind}"|^ *${kind}:`, "m").test(code))
        .filter((kind) => !ALLOWED[file]?.includes(kind))
        .map((kind) => `${file}: ${kind}`);
    });
  expect(named).toEqual([]);
});
