import { camelKeys, EnvironmentRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { LookupError } from "../definition/errors";
import { unwrap } from "../definition/field";
import { findOne } from "../definition/find-one";
import { everyItem, withoutNulls } from "../session/answers";
import { noDefaultEnvironment } from "../session/environment-choice";

const TEXTS = {
  id: "ID.",
  name: "Name.",
  description: "Description.",
  limitMode:
    "What happens at the limit: nothing, the environment is restricted, or a notification.",
  limitValue: "The limit; absent where there is none.",
  isRestricted: "Whether the limit was reached and restricts the environment.",
  restrictedAt: "Time since which it is restricted, ISO 8601.",
  createdAt: "Time of creation, ISO 8601.",
  updatedAt: "Time of the last change, ISO 8601.",
};

const fields: Readonly<Record<keyof typeof TEXTS, z.ZodType>> = camelKeys(
  EnvironmentRecord.shape,
);

/** The fields of the service's record that have a text above, without nulls. */
const result = z.object(
  Object.fromEntries(
    Object.entries(TEXTS).map(([name, text]) => {
      const given = fields[name as keyof typeof TEXTS];
      const type = unwrap(given) as z.ZodType;
      const isOptional = given.safeParse(undefined).success;
      return [name, (isOptional ? type.optional() : type).describe(text)];
    }),
  ),
);

const args = z
  .strictObject({
    id: z.string().min(1).optional().describe("ID."),
    name: z.string().min(1).optional().describe("Name, exactly."),
    default: z
      .literal(true)
      .optional()
      .describe("`true`: the default environment of the workspace."),
  })
  .superRefine((given, context) => {
    const names = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (names.length === 1) return;
    const message = `exactly one of id, name, default is needed; given: ${names.join(" and ") || "none"}`;
    context.addIssue({ code: "custom", message });
  });

/** One environment. The service has no call that reads a single one (docs/contract.md, "GET /environments"). */
export const getEnvironment = defineFunction({
  name: "getEnvironment",
  description:
    "One environment: by its ID, by a name that no other environment has, or the default one.",
  throws: "LookupError if there is none, or more than one",
  args,
  result: named("EnvironmentResult", result.describe("An environment.")),
  async run({ client: { configuration, environments }, args, signal }) {
    const { region } = configuration;
    if (args.default) {
      const found = await environments.findDefault({ signal });
      if (found) return withoutNulls(found);
      throw new LookupError(noDefaultEnvironment(region), []);
    }
    const [by, value = ""] =
      args.id === undefined ? ["name", args.name] : ["id", args.id];
    const all = await everyItem(environments.listAll({ signal }));
    const found = findOne(
      all.map((record) => ({ id: record.id, outputs: { ...record }, record })),
      {
        singular: "environment",
        region,
        by,
        value,
        advice: {
          none: `Check the ${by === "id" ? "ID" : by}, and that the key belongs to the right workspace.`,
          several: "Look one of them up by its ID:",
        },
      },
    );
    return withoutNulls(found.record);
  },
});
