import { ApiKeyFilter, ApiKeyRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { secret } from "../definition/field";
import { exactlyOneOf, listed, lookUp } from "./look-up";

const ApiKeyResult = named(
  "ApiKeyResult",
  z
    .object({
      id: z.string().describe("ID."),
      name: z.string().describe("Name."),
      description: z.string().optional().describe("Description."),
      type: ApiKeyRecord.shape.type.describe(
        "`public` for agents, `secret` for the events and device reputation APIs, `proxy` for proxy integrations.",
      ),
      status: ApiKeyRecord.shape.status.describe(
        "Whether the service accepts it.",
      ),
      environment: z
        .string()
        .optional()
        .describe("Environment ID; absent for a key of the whole workspace."),
      rateLimit: z.number().optional().describe("Requests per second."),
      token: secret(z.string())
        .optional()
        .describe("The key itself, where the service shows it again."),
      createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
      disabledAt: z
        .string()
        .optional()
        .describe("Time of disabling, ISO 8601; absent while enabled."),
    })
    .describe("An API key."),
);

const { type, status, environment } = ApiKeyFilter.shape;

/** API keys of the workspace, every page (docs/contract.md, "GET /api-keys"). */
export const getApiKeys = defineFunction({
  name: "getApiKeys",
  description: "API keys of the workspace, oldest first.",
  args: z.strictObject({
    type: type.describe("Only keys of this type."),
    status: status.describe("Only keys with this status."),
    environment: environment.describe(
      "Environment ID: only keys of this environment.",
    ),
  }),
  result: z.array(ApiKeyResult),
  run: listed((client) => client.apiKeys),
});

/** One API key (docs/contract.md, "GET /api-keys/{id}"). */
export const getApiKey = defineFunction({
  name: "getApiKey",
  description: "One API key, by its ID or by a name that no other key has.",
  throws: "LookupError if there is none, or more than one",
  args: exactlyOneOf({
    id: z.string().min(1).optional().describe("ID."),
    name: z.string().min(1).optional().describe("Name, exactly."),
  }),
  result: ApiKeyResult,
  run: lookUp("API key", (client) => client.apiKeys),
});
