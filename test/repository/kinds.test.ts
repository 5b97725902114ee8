import { expect, it } from "vitest";
import * as registry from "../../provider/src/registry";
import { textOf } from "../helpers/repository";
import { sourcesOf } from "../helpers/sources";

/** The code that treats every kind alike: what it must know of a kind is in the definition. */
const ROOMS = ["provider", "clone", "cli", "review", "policy"];

/** Where a kind is named besides: definitions, their registry, what `npm run gen` writes, and the table of data sources. */
const NAMED = [
  /^provider\/src\/resources\//,
  /^provider\/src\/program\/(resources|dynamic\/classes|plugin\/classes)\.ts$/,
  /^provider\/src\/(registry|kinds)\.ts$/,
  /^provider\/src\/functions\/objects\.ts$/,
];

/** Code outside the definitions that names kinds, and why it cannot ask a definition. */
const ALLOWED: Readonly<
  Record<string, { readonly kinds: readonly string[]; readonly why: string }>
> = {
  "provider/src/program/rotating-api-key.ts": {
    kinds: ["ApiKey"],
    why: "a component made of keys",
  },
  "clone/src/read/clone-kinds.ts": {
    kinds: ["Environment"],
    why: "the kind that the others belong to; the rest of the room asks its constant",
  },
  "clone/src/write/readme.ts": {
    kinds: ["ApiKey", "FilteringRuleSet", "Webhook"],
    why: "the example of a README",
  },
  "cli/src/output/event-text.ts": {
    kinds: ["Environment"],
    why: "the label of a field of an event",
  },
  "review/src/review/fail-condition.ts": {
    kinds: ["FilteringRuleSet"],
    why: "the room does not know the provider",
  },
  "review/src/review/review-plan.ts": {
    kinds: ["Environment"],
    why: "the room does not know the provider",
  },
  "policy/src/policies/encryption-key-protected.ts": {
    kinds: ["EncryptionKey"],
    why: "the kind that the policy is about",
  },
  "policy/src/policies/public-key-has-rate-limit.ts": {
    kinds: ["ApiKey"],
    why: "the kind that the policy is about",
  },
  "policy/src/policies/webhook-https-and-verified.ts": {
    kinds: ["Webhook", "WebhookVerification"],
    why: "the kinds that the policy is about",
  },
};

it("no code outside the definitions names a kind", () => {
  const kinds = Object.keys(registry);
  const named = ROOMS.flatMap(sourcesOf)
    .filter((file) => !NAMED.some((place) => place.test(file)))
    .flatMap((file) => {
      const text = textOf(file);
      const code = text.replace(/^ *(\/\/|\/?\*).*$/gm, "");
      // As a text, as the name of a member, or as a class of the package.
      return kinds
        .filter((kind) =>
          new RegExp(
            `(["'\`])${kind}\\1|^ *${kind}:|devid\\.${kind}\\b`,
            "m",
          ).test(code),
        )
        .map((kind) => `${file}: ${kind}`);
    });
  const allowed = Object.entries(ALLOWED).flatMap(([file, { kinds }]) =>
    kinds.map((kind) => `${file}: ${kind}`),
  );
  // Neither a name without a reason, nor a reason without a name.
  expect(named.toSorted()).toEqual(allowed.toSorted());
});

it("every definition is in the registry", () => {
  const defined = sourcesOf("provider").flatMap((file) =>
    [...textOf(file).matchAll(/defineResource\(\{\s*kind: "(\w+)"/g)].map(
      ([, kind]) => kind,
    ),
  );
  expect(defined.sort()).toEqual(Object.keys(registry).sort());
});
