import { z } from "zod";
import { defineComponent } from "../../definition/define-component";
import { secret } from "../../definition/field";
import { bare, withText } from "../../definition/value";
import { ApiKey } from "../../resources/api-key";
import {
  keyOfGeneration,
  LOST_GENERATION,
  objectionToGap,
  objectionToGenerations,
} from "./generations";

/** The component `RotatingApiKey` of the provider plugin. Programs in TypeScript have it as a class, which makes the same resources. */
export const RotatingApiKeyComponent = defineComponent({
  kind: "RotatingApiKey",
  description:
    "API keys that replace each other while at least one of them is always accepted: one key for each generation.",
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
  validate({ generations }) {
    const reason = objectionToGenerations(generations as string[]);
    return reason === undefined ? [] : [{ property: "generations", reason }];
  },
  warning(urn, { generations }, inState) {
    return objectionToGap(urn, generations as string[], inState);
  },
  parts(name, { name: start, generations, ...inputs }) {
    const all = generations as readonly string[];
    return all.map((generation) => ({
      kind: "ApiKey",
      name: keyOfGeneration(name, generation),
      inputs: {
        ...inputs,
        name: withText(start, (text) => `${text} ${generation}`),
      },
      ...(generation === all.at(-1) && {
        outputs: { keyId: "id", token: "token" },
        // An ApiKey's own advice is a new `rotation`, an input that this component does
        // not have.
        ...(bare(inputs.type) !== "public" && {
          absences: { token: LOST_GENERATION },
        }),
      }),
    }));
  },
});
