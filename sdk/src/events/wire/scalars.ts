import { z } from "zod";
import { openEnum } from "../../open-enum";

// Bounds are written down for the OpenAPI document and not checked: what the
// service answers is read loosely.

/** A moment in Unix milliseconds. */
export const Timestamp = z.number().meta({ type: "integer", format: "int64" });

/** A whole number. */
export const Count = z.number().meta({ type: "integer" });

/** A probability or a score, 0 to 1. */
export const Ratio = z.number().meta({ minimum: 0, maximum: 1 });

/** Values of every `..._confidence` but that of an identification. */
export const LEVELS = ["low", "medium", "high"] as const;

/** How sure the service is of a signal. */
export const Level = openEnum(LEVELS);
