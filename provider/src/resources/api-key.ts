import type { ApiKey as ApiKeyAnswer } from "@devid/sdk";
import {
  ApiKeyCreate,
  ApiKeyDescription,
  ApiKeyName,
  ApiKeyType,
  ApiKeyUpdate,
  RateLimit,
  Status,
} from "@devid/sdk/wire";
import { high, low, medium, switched } from "../definition/effects";
import { z } from "zod";
import { Adopt } from "../definition/adoption";
import { defineResource, objectsFrom } from "../definition/define-resource";
import {
  chosenReference,
  expected,
  immutable,
  local,
  managedIfSet,
  revealOnce,
  secret,
  stable,
  time,
} from "../definition/field";
import { IncompleteError } from "../definition/errors";
import { bodyOf, changesOf } from "../definition/request-body";
import { ownMember } from "../definition/value";
import { withoutNulls } from "../session/answers";

const inputs = z.object({
  name: ApiKeyName.describe("Name, 3 to 255 characters."),
  description: ApiKeyDescription.optional().describe(
    "Description, 3 to 255 characters.",
  ),
  type: immutable(ApiKeyType).describe(
    "`public` for agents, `secret` for the events and device reputation APIs, `proxy` for proxy integrations.",
  ),
  environment: chosenReference("Environment", "environmentId").describe(
    "Environment ID. Omitted on creation: the default environment for a public key, the whole workspace for any other. Leaving it out later changes nothing.",
  ),
  status: Status.default("enabled").describe("Whether the key is accepted."),
  rateLimit: managedIfSet(RateLimit)
    .optional()
    .describe(
      "Requests per second, at least 0.1. Omitted: the service chooses.",
    ),
  rotation: immutable(managedIfSet(local(z.string().min(1))))
    .optional()
    .describe(
      "Any text, for example a date. Changing it makes a new key and then deletes the old one. Leaving it out later changes nothing.",
    ),
  adopt: Adopt.optional().describe(
    "The existing key that creation takes over and makes as declared, instead of making a new one. Its token is known only if it is a public key. Only creation uses this.",
  ),
});

const SHOWN_ONCE =
  "the key was adopted or imported, and the service shows a token only when it creates the key. If the program needs the token, give the resource a `rotation`, any text: this creates a new key in place of this one, and whoever uses this key then needs the new token.";

const outputs = inputs.extend({
  token: expected(
    stable(revealOnce(secret(z.string()))),
    "the key was adopted or imported, and nothing has read its token since. For a public key, `pulumi refresh --run-program` reads it. The service shows the token of a secret or proxy key only when it creates the key: give the resource a `rotation`, any text, and it creates a new key in place of this one.",
    {
      output: "type",
      reasons: {
        public:
          "nothing has read it since the key was adopted, imported or recovered. Run `pulumi refresh --run-program`, which reads it.",
        secret: SHOWN_ONCE,
        proxy: SHOWN_ONCE,
      },
    },
  )
    .optional()
    .describe("The key itself."),
  environmentId: expected(
    stable(z.string()),
    "the key belongs to the whole workspace. If the program needs an environment, declare a key with `environment`.",
  ).describe(
    "ID of the environment that the key belongs to; empty for a key of the whole workspace.",
  ),
  createdAt: stable(time("Time of creation, ISO 8601.")),
  disabledAt: time("Time of disabling, ISO 8601; absent while enabled."),
});

/** The `environmentId` of a key without an environment: a preview takes an absent output for unknown. */
const WHOLE_WORKSPACE = "";

const NEEDED_BY = {
  public: "the pages and apps that use it",
  secret: "the servers that use it",
  proxy: "the proxy integration that uses it",
};

/** Who needs a key, and what happens to requests with it. */
const USERS: Readonly<Record<string, string>> = {
  public: "pages and apps with this key",
  secret: "servers with this key",
  proxy: "the proxy integration with this key",
};

const usersOf = ({ type }: { readonly type?: unknown }) =>
  ownMember(USERS, String(type)) ?? "those who use this key";

/** A key that agents, servers or proxies use (docs/contract.md, "API key record"). */
export const ApiKey = defineResource({
  kind: "ApiKey",
  singular: "API key",
  effects: {
    create: () => [low("a new key, which is accepted from now on")],
    delete: ({ was }) => [high(`${usersOf(was)} are refused from now on`)],
    replace: ({ was }) => [
      high(
        `a new key is made, and ${usersOf(was)} are refused until they have it`,
      ),
    ],
    update: ({ was, is }) => [
      ...switched(
        { was, is },
        high(`${usersOf(is)} are refused from now on`),
        medium("the key is accepted again"),
      ),
      ...(was.rateLimit !== is.rateLimit && typeof is.rateLimit === "number"
        ? [medium(`at most ${is.rateLimit} requests a second`)]
        : []),
    ],
  },
  description: "An API key of the workspace.",
  schemaVersion: 1,
  inputs,
  outputs,
  example: {
    name: "pages",
    inputs: { name: "Shop pages", type: "public" },
    output: "token",
  },
  adoption: { by: "name" },
  list: (client, signal, _default, environment) =>
    objectsFrom(client.apiKeys.listAll({ signal, environment }), fromWire),
  title: ({ name = "" }) => name,
  // The service deletes no environment that an enabled key uses.
  inEnvironment: { isInUse: ({ status }) => status !== "disabled" },
  // The environment of a key that is adopted stays as it is.
  planned: ({ type, environment, adopt }) =>
    environment === undefined &&
    adopt === undefined &&
    (type === "secret" || type === "proxy")
      ? { environmentId: WHOLE_WORKSPACE }
      : {},
  inDefaultEnvironment: ({ type }) => type === "public",
  clone: {
    neededBy: ({ type }) => NEEDED_BY[type ?? "secret"],
  },
  async create({ client, inputs }) {
    const input = bodyOf(ApiKeyCreate, inputs);
    const made = await client.apiKeys.create(input);
    const outputs = fromWire(made);
    // The create call takes neither status nor rateLimit, but a new key may have what is declared.
    const differing = Object.entries(bodyOf(ApiKeyUpdate, inputs)).filter(
      ([field, declared]) =>
        !(field in input) && declared !== made[field as keyof typeof made],
    );
    if (differing.length === 0) return { id: made.id, outputs };
    // One call, and no list: a second `pulumi up` has to find nothing to do. If the
    // update fails, the key must not be lost.
    return IncompleteError.guard({ id: made.id, outputs }, async () => {
      const set = await client.apiKeys.update(
        made.id,
        Object.fromEntries(differing),
      );
      return {
        id: made.id,
        outputs: { ...fromWire(set), token: outputs.token },
      };
    });
  },
  async read({ client, session, id, last }) {
    const found = await session.reads.find(
      client.apiKeys,
      id,
      (key) => key.type !== "public" || Boolean(key.token ?? last?.token),
    );
    return found && fromWire(found);
  },
  async update({ client, id, inputs, changed }) {
    const input = changesOf(ApiKeyUpdate, inputs, changed) ?? {};
    return fromWire(await client.apiKeys.update(id, input));
  },
  async delete({ client, id }) {
    await client.apiKeys.delete(id);
  },
});

function fromWire(answer: ApiKeyAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  const environmentId = fields.environment ?? WHOLE_WORKSPACE;
  return { ...fields, environmentId } as z.output<typeof outputs>;
}
