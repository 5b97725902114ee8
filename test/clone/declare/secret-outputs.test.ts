import { expect, it } from "vitest";
import { secretOutputs } from "../../../clone/src/declare/secret-outputs";

const ENVIRONMENTS = { ae_1: "default", ae_2: "staging" };
const placeName = (id: string) => ENVIRONMENTS[id as "ae_1"];

const named = (
  resources: readonly (readonly [string, string, string?])[],
  place: (id: string) => string | undefined = placeName,
) =>
  secretOutputs(
    resources.map(([kind, name, environment], n) => ({
      kind,
      name,
      id: `id_${n}aB${n}`,
      ...(environment && { environment }),
    })),
    place,
  ).map(({ name, field, resource }) => `${name} = ${resource.name}.${field}`);

it("names a token or a key by environment, object and field", () => {
  expect(
    named([
      ["Environment", "staging", "ae_2"],
      ["ApiKey", "server", "ae_1"],
      ["ApiKey", "server-ab12", "ae_2"],
      ["ApiKey", "staging-browser", "ae_2"],
      ["ApiKey", "everywhere"],
      ["Webhook", "hooks-shop", "ae_2"],
      ["EncryptionKey", "default", "ae_1"],
      ["EncryptionKey", "staging", "ae_2"],
      ["FilteringRuleSet", "staging", "ae_2"],
    ]),
  ).toEqual([
    "defaultServerToken = server.token",
    "stagingServerAb12Token = server-ab12.token",
    "stagingBrowserToken = staging-browser.token",
    "everywhereToken = everywhere.token",
    "stagingHooksShopSigningKey = hooks-shop.signingKey",
    "defaultEncryptionKeyToken = default.token",
    "stagingEncryptionKeyToken = staging.token",
  ]);
});

it("appends the end of the ID when another object already has the name", () => {
  expect(
    named([
      ["ApiKey", "browser", "ae_2"],
      ["ApiKey", "staging-browser"],
    ]),
  ).toEqual([
    "stagingBrowserToken = browser.token",
    "stagingBrowserToken1aB1 = staging-browser.token",
  ]);
});

it("leaves the environment out of the name in a program for one environment", () => {
  expect(
    named(
      [
        ["ApiKey", "3d", "ae_2"],
        ["EncryptionKey", "staging", "ae_2"],
      ],
      () => undefined,
    ),
  ).toEqual(["_3dToken = 3d.token", "encryptionKeyToken = staging.token"]);
});
