import type { Environment as EnvironmentAnswer } from "@devid/sdk";
import {
  EnvironmentCreate,
  EnvironmentDescription,
  EnvironmentName,
  EnvironmentUpdate,
  LimitMode,
  LimitValue,
} from "@devid/sdk/wire";
import { bodyOf, changesOf } from "../../definition/request-body";
import { high, low } from "../../definition/effects";
import { z } from "zod";
import { Adopt } from "../../definition/adoption";
import { defineResource, objectsFrom } from "../../definition/define-resource";
import { setting, stable, time } from "../../definition/field";
import { withoutNulls } from "../../session/answers";
import { deleteEnvironment } from "./environment-contents";

const inputs = z.object({
  name: EnvironmentName.describe("Name, 3 to 255 characters."),
  description: EnvironmentDescription.optional().describe(
    "Description, at most 256 characters.",
  ),
  limitMode: LimitMode.default("none").describe(
    "What happens at the limit: nothing, the environment is restricted, or a notification.",
  ),
  limitValue: LimitValue.optional().describe(
    "The limit, at least 1; required unless `limitMode` is `none`.",
  ),
  deleteContents: setting(
    z.array(z.string().min(1), {
      error:
        "must be a list of IDs: the objects to delete with the environment. A refused delete prints the list",
    }),
  )
    .optional()
    .describe(
      "IDs of objects in the environment to delete with the environment. No resource may own them, and API keys must be disabled. If the environment has any other object, its deletion fails.",
    ),
  adopt: Adopt.optional().describe(
    "The existing environment that creation takes over and makes as declared, instead of making a new one. Only creation uses this.",
  ),
});

const outputs = inputs.extend({
  isRestricted: z
    .boolean()
    .optional()
    .describe("Whether the limit is reached and restricts the environment."),
  restrictedAt: time("Time since which it is restricted, ISO 8601."),
  createdAt: stable(time("Time of creation, ISO 8601.")),
  updatedAt: time("Time of the last change, ISO 8601."),
});

/** A part of the workspace with keys, webhooks and rules of its own (docs/contract.md, "Environment record"). */
export const Environment = defineResource({
  kind: "Environment",
  singular: "environment",
  effects: {
    create: () => [low("a new environment, without rules and keys of its own")],
    delete: () => [high("its rules, keys and webhooks go with it")],
    replace: () => [
      high("the rules, keys and webhooks of the old one go with it"),
    ],
  },
  description:
    "An environment of the workspace. The default environment exists everywhere and is never declared.",
  schemaVersion: 1,
  inputs,
  outputs,
  example: {
    name: "staging",
    inputs: { name: "Staging", limitMode: "notify", limitValue: 100_000 },
    output: "createdAt",
  },
  validate({ limitMode }, { given }) {
    if (limitMode === undefined) return [];
    const needed = limitMode !== "none";
    if (needed === given.has("limitValue")) return [];
    const reason = needed
      ? `is required with limitMode "${limitMode}"`
      : 'needs limitMode "restrict" or "notify"';
    return [{ property: "limitValue", reason }];
  },
  takesAlong: ({ deleteContents = [] }) => ({
    input: "deleteContents",
    ids: deleteContents,
  }),
  list: (client, signal) =>
    objectsFrom(client.environments.listAll({ signal }), fromWire),
  title: ({ name = "" }) => name,
  clone: { about: "The environments of the workspace." },
  adoption: {
    by: "name",
    async objection(session, id) {
      return (await session.workspace()).workspace === id
        ? "it is the default environment, which is never declared; leave `environment` out where it is meant"
        : undefined;
    },
  },
  async create({ client, inputs }) {
    const input = bodyOf(EnvironmentCreate, inputs);
    const made = await client.environments.create(input);
    return { id: made.id, outputs: fromWire(made) };
  },
  async read({ client, session, id }) {
    const found = await session.reads.find(client.environments, id);
    return found && fromWire(found);
  },
  async update({ client, id, inputs, changed }) {
    const { limitMode, limitValue } = inputs;
    const input = {
      ...changesOf(EnvironmentUpdate, inputs, changed),
      // The service takes mode and value of a limit together, whichever of them changed.
      ...(changed.has("limitValue") && { limitMode }),
      ...(changed.has("limitMode") &&
        limitValue !== undefined && { limitValue }),
    };
    return fromWire(await client.environments.update(id, input));
  },
  async delete({ id, last, ...context }) {
    const { name, deleteContents: given } = last;
    // Somebody may have edited the state, and a text would name every ID that is a part of it.
    const deleteContents = Array.isArray(given) ? given : [];
    await deleteEnvironment(context, { id, name, deleteContents });
  },
});

function fromWire(answer: EnvironmentAnswer) {
  const { id, limitValue, ...fields } = withoutNulls(answer);
  const limitMode = fields.limitMode ?? "none";
  return {
    ...fields,
    limitMode,
    // With the mode `none`, the service may still answer a value that it does not use.
    ...(limitMode !== "none" && { limitValue }),
  } as z.output<typeof outputs>;
}
