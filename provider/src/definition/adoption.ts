import type { Client } from "@devid/sdk";
import { z } from "zod";
import { createOnly, local } from "./field";
import type { Readable } from "../session/list-snapshot";
import { orMissing } from "../session/or-missing";

/** An object of the service: its ID and its fields as a resource's outputs. */
export interface Found {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** How the objects of a kind are found that a program can adopt. */
export interface Adoption {
  /** For messages: `API key`. */
  readonly singular: string;
  /** What `adopt` takes besides an ID. */
  readonly by: "name" | "url";
  find(client: Client, id: string): Promise<Found | undefined>;
  list(client: Client): Promise<Found[]>;
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
  return createOnly(local(adopt));
}

/** Finds what can be adopted among the objects of a collection. */
export function adoption<R extends { readonly id: string }>({
  of,
  toOutputs,
  ...rest
}: Pick<Adoption, "singular" | "by" | "objection"> & {
  readonly of: (client: Client) => Readable<R>;
  readonly toOutputs: (record: R) => object;
}): Adoption {
  const found = (record: R): Found => ({
    id: record.id,
    outputs: { ...toOutputs(record) },
  });
  const list = async (client: Client) => {
    const all: Found[] = [];
    for await (const record of of(client).listAll()) all.push(found(record));
    return all;
  };
  return {
    ...rest,
    list,
    async find(client, id) {
      const collection = of(client);
      if (!collection.get) return (await list(client)).find((o) => o.id === id);
      const record = await orMissing(collection.get(id));
      return record && found(record);
    },
  };
}

const isGiven = (value: unknown) => value !== undefined;
