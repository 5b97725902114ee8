import type { z } from "zod";
import type { EventRecord } from "./wire";

/**
 * An identification event, in the service's own form: webhooks and sealed
 * results deliver the same. A field that devid does not know is `unknown`.
 */
export type Event = z.output<typeof EventRecord>;
