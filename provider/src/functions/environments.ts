import { EnvironmentRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { withoutNulls } from "../session/answers";
import { exactlyOneOf, listed, lookUp } from "./look-up";
import { LookupError } from "../definition/errors";

const EnvironmentResult = named(
  "EnvironmentResult",
  z
    .object({
      id: z.string().describe("ID."),
      name: z.string().describe("Name."),
      description: z.string().optional().describe("Description."),
      limitMode: EnvironmentRecord.shape.limit_mode
        .unwrap()
        .unwrap()
        .optional()
        .describe(
          "What happens at the limit: nothing, the environment is restricted, or a notification.",
        ),
      limitValue: z
        .number()
        .optional()
        .describe("The limit; absent where there is none."),
      isRestricted: z
        .boolean()
        .optional()
        .describe(
          "Whether the limit was reached and restricts the environment.",
        ),
      restrictedAt: z
        .string()
        .optional()
        .describe("Time since which it is restricted, ISO 8601."),
      createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
      updatedAt: z
        .string()
        .optional()
        .describe("Time of the last change, ISO 8601."),
    })
    .describe("An environment."),
);

/** Environments of the workspace, every page (docs/contract.md, "GET /environments"). */
export const getEnvironments = defineFunction({
  name: "getEnvironments",
  description:
    "Environments of the workspace, oldest first: the first is the default one.",
  args: z.strictObject({}),
  result: z.array(EnvironmentResult),
  run: listed((client) => client.environments),
});

const lookUpEnvironment = lookUp(
  "environment",
  (client) => client.environments,
);

/** One environment of the list: the service has no call that reads a single one (docs/contract.md, "GET /environments"). */
export const getEnvironment = defineFunction({
  name: "getEnvironment",
  description:
    "One environment: by its ID, by a name that no other environment has, or the default one.",
  throws: "LookupError if there is none, or more than one",
  args: exactlyOneOf({
    id: z.string().min(1).optional().describe("ID."),
    name: z.string().min(1).optional().describe("Name, exactly."),
    default: z
      .literal(true)
      .optional()
      .describe("`true`: the default environment of the workspace."),
  }),
  result: EnvironmentResult,
  async run(request) {
    const { client, args, signal } = request;
    if (!args.default) return lookUpEnvironment(request);
    const found = await client.environments.findDefault({ signal });
    if (found) return withoutNulls(found);
    throw new LookupError(
      `The workspace in region ${client.configuration.region} lists no environment, so there is no default environment. Check that the key belongs to the right workspace.`,
      [],
    );
  },
});
