import { parseUrl } from "@devid/sdk/errors";
import { isLoopback } from "@devid/sdk";
import { EventSourceError } from "./errors";

/** Where past events are kept, as `--events` names it. */
export type EventSource =
  | { readonly kind: "parquet" | "ndjson"; readonly glob: string }
  | {
      readonly kind: "clickhouse";
      /** Address of the HTTP interface, without a query. */
      readonly url: URL;
      /** `TABLE` or `DATABASE.TABLE`. */
      readonly table: string;
    }
  | {
      readonly kind: "trino";
      readonly url: URL;
      readonly catalog: string;
      readonly schema: string;
      readonly table: string;
    };

const FORMS = `parquet:GLOB, ndjson:GLOB, clickhouse:URL?table=NAME or trino:URL?catalog=NAME&schema=NAME&table=NAME`;

/**
 * Reads the name of a source of events.
 * @throws EventSourceError; the message never shows a password
 *
 * @example
 * parseEventSource("parquet:exports/*.parquet");
 * parseEventSource("clickhouse:https://ch.example:8443?table=fraud.events");
 */
export function parseEventSource(text: string): EventSource {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/s.exec(text) ?? [];
  switch (kind) {
    case "parquet":
    case "ndjson":
      if (rest === "")
        throw new EventSourceError(`Which files? Give ${kind}:GLOB.`);
      return { kind, glob: rest };
    case "clickhouse":
      return { kind, ...addressOf(kind, rest, ["table"]) };
    case "trino": {
      const names = ["catalog", "schema", "table"] as const;
      return { kind, ...addressOf(kind, rest, names) };
    }
    default:
      throw new EventSourceError(`This is no source of events. Give ${FORMS}.`);
  }
}

/** The address of an engine, and the parameters of its query, which all must be there. */
function addressOf<Name extends string>(
  kind: "clickhouse" | "trino",
  text: string,
  names: readonly Name[],
): { readonly url: URL } & Readonly<Record<Name, string>> {
  // The parser drops line breaks and tabs.
  const given = parseUrl(text);
  if (!given || /[\s\p{Cc}]/u.test(text))
    throw new EventSourceError(
      `Behind ${kind}: an address is missing, such as https://${kind}.example:8443.`,
    );
  if (given.username !== "" || given.password !== "")
    throw new EventSourceError(
      `A user or password in an address is seen by others on the machine. Set ${kind.toUpperCase()}_USER and ${kind.toUpperCase()}_PASSWORD instead.`,
    );
  if (
    given.protocol !== "https:" &&
    !(given.protocol === "http:" && isLoopback(given.hostname))
  )
    throw new EventSourceError(
      `${given.origin} is not encrypted: the address has to begin with https://; http:// is for this machine alone.`,
    );
  const other = [...given.searchParams.keys()].find(
    (name) => !names.includes(name as Name),
  );
  if (other !== undefined)
    throw new EventSourceError(
      `The address has the parameter ${other}, which is not known. Give ${names.map((name) => `${name}=NAME`).join("&")}.`,
    );
  const values = names.map((name) => {
    const value = given.searchParams.get(name);
    if (value) return [name, value];
    throw new EventSourceError(
      `Which ${name}? Add ${name}=NAME to the address behind the question mark.`,
    );
  });
  const url = new URL(given);
  url.search = "";
  url.hash = "";
  return {
    ...(Object.fromEntries(values) as Record<Name, string>),
    url,
  };
}
