import type { Client } from "@devid/sdk";
import { z } from "zod";
import type { FunctionRequest } from "../definition/define-function";
import { findOne } from "../definition/find-one";
import { everyItem, orMissing, withoutNulls } from "../session/answers";

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

interface Identified {
  readonly id: string;
}
type Options = Pick<FunctionRequest<object>, "signal">;

/** The objects of the service that a data source asks for. */
export type CollectionOf = (client: Client) => {
  listAll(options: Options): AsyncIterable<Identified>;
  /** Absent where the service cannot read one object by its ID. */
  get?(id: string, options: Options): Promise<Identified>;
};

/** Asks for all objects that have the values of the arguments. */
export const listed =
  (collectionOf: CollectionOf) =>
  async ({ client, args, signal }: FunctionRequest<object>) => {
    const found = collectionOf(client).listAll({ ...args, signal });
    return (await everyItem(found)).map((record) => withoutNulls(record));
  };

/**
 * Asks for the one object that the arguments name, of which one has a value. An
 * object from the list is read again by its ID, if the service can do that, because the
 * list may lack its token (docs/assumptions.md, A140).
 * @throws LookupError where there is no such object, or more than one
 */
export const lookUp =
  (singular: string, collectionOf: CollectionOf) =>
  async ({ client, args, signal }: FunctionRequest<object>) => {
    const collection = collectionOf(client);
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
    if (by === "id" && collection.get)
      return withoutNulls(await byId(wanted.value));
    const all = await everyItem(collection.listAll({ signal }));
    const { id, record } = findOne(all.map(candidate), wanted);
    return withoutNulls(collection.get ? await byId(id) : record);
  };

const candidate = (record: Identified) => ({
  id: record.id,
  outputs: { ...record },
  record,
});
