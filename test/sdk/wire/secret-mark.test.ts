import {
  isSecret,
  isSecretUrl,
  secret,
  secretFields,
  secretTexts,
  secretUrl,
} from "@devid/sdk/wire";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as wire from "../../../sdk/src/wire/management";

describe("the mark of a secret", () => {
  const token = () => secret(z.string());

  it.each<[string, z.ZodType]>([
    ["alone", token()],
    ["under optional", token().optional()],
    ["under nullish", token().nullish()],
    ["under default", token().default("x")],
    ["under prefault", token().prefault("x")],
    ["under readonly", token().readonly()],
    ["under catch", token().catch("x")],
    ["under describe", token().describe("x")],
    [
      "under describe, optional, describe",
      token().describe("x").optional().describe("y"),
    ],
    ["under further checks", token().min(3).max(5)],
    ["under a pipe", token().transform((text) => text.length)],
    ["behind a pipe", z.preprocess((text) => text, token())],
    ["in a union", z.union([z.null(), token()])],
    ["around optional, described", secret(z.string().optional()).describe("x")],
    ["around nullish, in optional", secret(z.string().nullish()).optional()],
    ["around anything", secret(z.unknown()).optional()],
  ])("is found %s", (_, schema) => {
    expect(isSecret(schema)).toBe(true);
    expect(isSecretUrl(schema)).toBe(false);
  });

  it("is not on the original schema, nor on others", () => {
    const plain = z.string();
    secret(plain);
    for (const schema of [plain, plain.optional(), z.object({ a: token() })])
      expect(isSecret(schema)).toBe(false);
    expect(isSecret(secretUrl(plain))).toBe(false);
    expect(isSecretUrl(secretUrl(plain).nullish())).toBe(true);
  });

  it("changes no value that a schema parses", () => {
    expect(token().parse("abc")).toBe("abc");
    expect(token().safeParse(5).success).toBe(false);
    expect(z.toJSONSchema(token())).toEqual(z.toJSONSchema(z.string()));
  });
});

describe("the wire schemas mark as secret", () => {
  it.each<[string, z.ZodObject, string[]]>([
    ["an API key", wire.ApiKeyRecord, ["token"]],
    [
      "an encryption key",
      wire.EncryptionKeyRecord,
      ["previous_token", "token", "next_token"],
    ],
    ["a webhook", wire.WebhookRecord, ["basic_auth", "signing_key"]],
    ["an environment", wire.EnvironmentRecord, []],
    ["a rule", wire.FilteringRuleRecord, []],
  ])("the secret fields of %s", (_, schema, fields) => {
    expect(secretFields(schema)).toEqual(fields);
  });

  it("every field with the name of a secret, and every URL", () => {
    const schemas: unknown[] = Object.values(wire);
    const fields = schemas
      .filter((schema) => schema instanceof z.ZodObject)
      .flatMap((schema) => Object.entries<z.ZodType>(schema.shape));
    const called = (pattern: RegExp) =>
      fields.filter(([name]) => pattern.test(name)).map(([, field]) => field);
    const secrets = called(/token|signing_key|secret|password|auth/);
    expect(secrets).toHaveLength(6);
    expect(secrets.every(isSecret)).toBe(true);
    const urls = called(/url/);
    expect(urls).toHaveLength(3);
    expect(urls.every(isSecretUrl)).toBe(true);
  });
});

describe("the secret texts of a value", () => {
  const Deep = z.object({
    name: z.string(),
    token: secret(z.string()).nullish(),
    auth: secret(z.unknown()).optional(),
    list: z.array(z.object({ key: secret(z.string()), id: z.string() })),
    map: z.record(z.string(), secret(z.string())),
    either: z.union([z.object({ pin: secret(z.string()) }), z.string()]),
    hook: secretUrl(z.string()).optional(),
  });

  it("are found at any depth", () => {
    const value = {
      name: "public",
      token: "s-token",
      auth: { user: "s-user", deep: [{ password: "s-password" }, 5, null] },
      list: [{ key: "s-key", id: "public" }],
      map: { a: "s-a", b: "s-b" },
      either: { pin: "s-pin" },
      unknown: "public",
    };
    expect(secretTexts(Deep, value).sort()).toEqual(
      [
        "s-token",
        "s-user",
        "s-password",
        "s-key",
        "s-a",
        "s-b",
        "s-pin",
      ].sort(),
    );
  });

  it.each([
    undefined,
    null,
    "text",
    5,
    [],
    {},
    { list: null, map: [], either: null, token: undefined },
  ])("are none if %j does not fit the schema", (value) => {
    expect(secretTexts(Deep, value)).toEqual([]);
  });

  it("are found even if a value does not fit the schema", () => {
    expect(
      secretTexts(Deep, { token: ["s-1"], list: [{ key: { a: "s-2" } }] }),
    ).toEqual(["s-1", "s-2"]);
  });

  it("of a URL are its password, its query and its long values, in every spelling", () => {
    const hook =
      "https://me:p%C3%A4ss@hooks.example/x?token=abc%2Bdef-1&v=2#part";
    expect(secretTexts(Deep, { hook })).toEqual([
      "p%C3%A4ss",
      "päss",
      "me:p%C3%A4ss",
      "token=abc%2Bdef-1&v=2",
      "token=abc%2Bdef-1&v=2",
      "abc+def-1",
    ]);
    for (const hook of ["https://hooks.example/x", "no address", ""])
      expect(secretTexts(Deep, { hook })).toEqual([]);
  });
});
