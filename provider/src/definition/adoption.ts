import { z } from "zod";
import type { Session } from "../session/session";
import { suppressDiff } from "./field";

/** How a new resource takes over an existing object. */
export interface Adoption {
  /** The field that identifies an object with the setting `adopt: byName`. */
  readonly by: "name" | "url";
  /** Why an object must not be adopted; undefined if it may be adopted. */
  objection?(session: Session, id: string): Promise<string | undefined>;
}

/** The schema of the input `adopt`: an existing object, by its ID. */
export const Adopt = suppressDiff(
  z.strictObject(
    { id: z.string().min(1) },
    "must be { id: ... }, with the ID of an object; the provider's setting adopt: byName takes objects over by their names",
  ),
);
