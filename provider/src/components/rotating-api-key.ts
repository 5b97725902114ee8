import { z } from "zod";
import { defineComponent } from "../definition/define-component";
import { secret } from "../definition/field";
import { ApiKey } from "../resources/api-key";
import { rotatingApiKeyComposition } from "./rotating-api-key-composition";

/** API keys that replace each other. */
export const RotatingApiKey = defineComponent({
  kind: "RotatingApiKey",
  description:
    "API keys that replace each other while at least one of them is always accepted: one key for each generation. A rotation takes three steps: add a generation, wait until everything uses the new token, remove the old generation.",
  example: `const server = new devid.RotatingApiKey("server", {
  name: "Server",
  type: "secret",
  generations: ["2026-10", "2026-11"],
});
export const token = server.token; // of 2026-11; the key of 2026-10 is still accepted`,
  inputs: ApiKey.inputs.omit({ rotation: true, adopt: true }).extend({
    name: z
      .string()
      .describe("Start of each key's name; the generation follows it."),
    generations: z
      .array(z.string())
      .describe(
        "Any texts, for example months, the oldest first; each has one key. Adding a text at the end creates a new key, and `token` then is the token of that key. Removing a text deletes its key.",
      ),
  }),
  outputs: z.object({
    keyId: z.string().describe("ID of the key of the last generation."),
    token: secret(z.string()).describe(
      "Token of the key of the last generation.",
    ),
  }),
  deciding: ["generations"],
  composition: rotatingApiKeyComposition,
  memberDescription: "The keys by generation.",
});
