import { z } from "zod";
import { openEnum } from "../../open-enum";

/** Platforms of the agents. A search knows all but `unknown`. */
export const SDK_PLATFORMS = ["js", "android", "ios", "unknown"] as const;

const named = {
  name: z.string().nullish(),
  version: z.string().nullish(),
};

/** The agent that made the event, and the frameworks it was used from. */
export const Sdk = z.looseObject({
  platform: openEnum(SDK_PLATFORMS).nullable(),
  version: z.string().nullable(),
  integrations: z
    .array(
      z
        .looseObject({
          ...named,
          subintegration: z.looseObject(named).nullish(),
        })
        .nullable(),
    )
    .nullish(),
});
