import type { Client } from "@devid/sdk";
import { z } from "zod";
import { findOne } from "../definition/find-one";
import { orMissing, everyItem } from "../session/answers";

/** The schema of arguments of which a program gives exactly one. */
export function exactlyOneOf<S extends z.ZodRawShape>(fields: S) {
  const names = Object.keys(fields).join(", ");
  return z.strictObject(fields).superRefine((args, context) => {
    const given = Object.entries(args).filter(
      ([, value]) => value !== undefined,
    );
    if (given.length === 1) return;
    const found = given.map(([name]) => name).join(" and ") || "none";
    const message = `exactly one of ${names} is needed; given: ${found}`;
    context.addIssue({ code: "custom", message });
  });
}

/** The objects of the service among which one is wanted. */
interface Collection<R extends { readonly id: string }> {
  listAll(options: { readonly signal?: AbortSignal }): AsyncIterable<R>;
  /** Absent where the service cannot read one object by its ID. */
  get?(id: string, options: { readonly signal?: AbortSignal }): Promise<R>;
}

interface Lookup {
  readonly singular: string;
  readonly client: Client;
  /** The arguments, of which exactly one has a value. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/**
 * The one object that the arguments name. An object from the list is read again by its
 * ID, if the service can do that, because the list may lack its token
 * (docs/assumptions.md, A140).
 * @throws LookupError where there is no such object, or more than one
 */
export async function lookUp<R extends { readonly id: string }>(
  collection: Collection<R>,
  { singular, client, args, signal }: Lookup,
): Promise<R> {
  const [by = "", value = ""] =
    Object.entries(args).find(([, given]) => given !== undefined) ?? [];
  const { region } = client.configuration;
  const what = by === "id" ? "ID" : by;
  const wanted = {
    singular,
    region,
    by,
    value: String(value),
    advice: {
      none: `Check the ${what}, and that the key belongs to the right workspace.`,
      several: "Look one of them up by its ID:",
    },
  };
  const byId = async (id: string) => {
    const read = collection.get?.(id, { signal });
    const record = read && (await orMissing(read));
    const found = record ? [candidate(record)] : [];
    return findOne(found, { ...wanted, by: "id", value: id }).record;
  };
  if (by === "id" && collection.get) return byId(wanted.value);
  const all = await everyItem(collection.listAll({ signal }));
  const { id, record } = findOne(all.map(candidate), wanted);
  return collection.get ? byId(id) : record;
}

function candidate<R extends { readonly id: string }>(record: R) {
  return { id: record.id, outputs: { ...record }, record };
}
