import { EncryptionKeyFilter, EncryptionKeyRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { secret } from "../definition/field";
import { exactlyOneOf, listed, lookUp } from "./look-up";

const EncryptionKeyResult = named(
  "EncryptionKeyResult",
  z
    .object({
      id: z.string().describe("ID."),
      name: z.string().optional().describe("Name."),
      description: z.string().optional().describe("Description."),
      status: EncryptionKeyRecord.shape.status.describe(
        "Whether it seals client results.",
      ),
      environment: z
        .string()
        .optional()
        .describe("ID of the environment that it belongs to."),
      createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
      lastActivatedAt: z.string().optional().describe("ISO 8601."),
      lastDeactivatedAt: z.string().optional().describe("ISO 8601."),
      lastRotatedAt: z.string().optional().describe("ISO 8601."),
      previousToken: secret(z.string())
        .optional()
        .describe("Key before the last rotation."),
      token: secret(z.string())
        .optional()
        .describe("Current key, base64 of 32 bytes."),
      nextToken: secret(z.string())
        .optional()
        .describe("Key after the next rotation."),
    })
    .describe("An encryption key."),
);

const { status, environment } = EncryptionKeyFilter.shape;

/** Encryption keys of the workspace, every page (docs/contract.md, "GET /encryption-keys"). */
export const getEncryptionKeys = defineFunction({
  name: "getEncryptionKeys",
  description: "Encryption keys of the workspace, oldest first.",
  args: z.strictObject({
    status: status.describe("Only keys with this status."),
    environment: environment.describe(
      "Environment ID: only keys of this environment.",
    ),
  }),
  result: z.array(EncryptionKeyResult),
  run: listed((client) => client.encryptionKeys),
});

/** One encryption key (docs/contract.md, "GET /encryption-keys/{id}"). */
export const getEncryptionKey = defineFunction({
  name: "getEncryptionKey",
  description:
    "One encryption key, by its ID, its environment, or a name that no other key has.",
  throws: "LookupError if there is none, or more than one",
  args: exactlyOneOf({
    id: z.string().min(1).optional().describe("ID."),
    environment: z
      .string()
      .min(1)
      .optional()
      .describe("ID of the environment whose key it is."),
    name: z.string().min(1).optional().describe("Name, exactly."),
  }),
  result: EncryptionKeyResult,
  run: lookUp("encryption key", (client) => client.encryptionKeys),
});
