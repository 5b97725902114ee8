import type { Client } from "@devid/sdk";
import { z } from "zod";
import { findOne } from "../definition/find-one";
import { orMissing, everyItem } from "../session/answers";

/** Arguments of a lookup: fields of which a program gives exactly one. */
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

/** Objects of the service among which one is looked for. */
interface Collection<R extends { readonly id: string }> {
  listAll(options: { readonly signal?: AbortSignal }): AsyncIterable<R>;
  /** Absent where the service has no such call. */
  get?(id: string, options: { readonly signal?: AbortSignal }): Promise<R>;
}

/** What one object is looked for by. */
interface Lookup {
  /** What one is called in messages: `API key`. */
  readonly singular: string;
  readonly client: Client;
  /** The arguments, one of which has a value. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/**
 * The only object that has what the argument says. One that was found in the
 * list is read by its ID, where the service can do that, for a list need not
 * show tokens (docs/assumptions.md, A140).
 * @throws LookupError where there is none, or more than one
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
      none: `Check the ${what}, and that the key is that of the right workspace.`,
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
