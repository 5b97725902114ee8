import type { Client } from "@devid/sdk";
import { z } from "zod";
import { momentary } from "./field";

/** How the objects of a kind are found that a program can adopt. */
export interface Adoption {
  /** What `adopt` takes besides an ID. */
  readonly by: "name" | "url";
  /** Why an object is not to be adopted; undefined where nothing stands against it. */
  objection?(client: Client, id: string): Promise<string | undefined>;
}

/** The `adopt` input: an existing object, by its ID or by its name or url. */
export function adoptBy<K extends Adoption["by"]>(by: K) {
  const text = z.string().min(1).optional();
  const names = { id: text, [by]: text } as Record<"id" | K, typeof text>;
  const adopt = z
    .strictObject(names)
    .refine(
      (wanted) => Object.values(wanted).filter(isGiven).length === 1,
      `takes either id or ${by}`,
    );
  return momentary(adopt);
}

const isGiven = (value: unknown) => value !== undefined;
