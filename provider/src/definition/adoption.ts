import { z } from "zod";
import type { Session } from "../session/session";
import { suppressDiff } from "./field";

/** How to find the object that a program adopts. */
export interface Adoption {
  /** The field that `adopt` takes besides an ID. */
  readonly by: "name" | "url";
  /** Why an object must not be adopted; undefined if it may be adopted. */
  objection?(session: Session, id: string): Promise<string | undefined>;
}

/** The schema of the input `adopt`: an existing object, by its ID or by the field `by`. */
export function adoptBy<K extends Adoption["by"]>(by: K) {
  const text = z.string().min(1).optional();
  const names = { id: text, [by]: text } as Record<"id" | K, typeof text>;
  const adopt = z
    .strictObject(names)
    .refine(
      (wanted) => Object.values(wanted).filter(isGiven).length === 1,
      `takes either id or ${by}`,
    );
  return suppressDiff(adopt);
}

const isGiven = (value: unknown) => value !== undefined;
