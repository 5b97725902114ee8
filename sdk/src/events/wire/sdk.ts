import { z } from "zod";
import { openEnum } from "../../open-enum";

/** Platforms of the agents. A search knows all but `unknown`. */
export const SDK_PLATFORMS = ["js", "android", "ios", "unknown"] as const;

const named = {
  name: z.string().optional(),
  version: z.string().optional(),
};

/** The agent that made the event, and the frameworks it was used from. */
export const Sdk = z.looseObject({
  platform: openEnum(SDK_PLATFORMS),
  version: z.string(),
  integrations: z
    .array(
      z.looseObject({
        ...named,
        subintegration: z.looseObject(named).optional(),
      }),
    )
    .optional(),
});
