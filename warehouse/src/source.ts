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
    case "clickhouse": {
      const { url, take } = addressOf(kind, rest);
      return { kind, table: take("table"), url };
    }
    case "trino": {
      const { url, take } = addressOf(kind, rest);
      const [catalog, schema] = [take("catalog"), take("schema")];
      return { kind, catalog, schema, table: take("table"), url };
    }
    default:
      throw new EventSourceError(`This is no source of events. Give ${FORMS}.`);
  }
}

/** The address of an engine, and a function that takes the parameters of its query. */
function addressOf(kind: "clickhouse" | "trino", text: string) {
  if (!URL.canParse(text))
    throw new EventSourceError(
      `Behind ${kind}: an address is missing, such as https://${kind}.example:8443.`,
    );
  const given = new URL(text);
  if (given.username !== "" || given.password !== "")
    throw new EventSourceError(
      `A user or password in an address is seen by others on the machine. Set ${kind.toUpperCase()}_USER and ${kind.toUpperCase()}_PASSWORD instead.`,
    );
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(given.hostname);
  if (
    given.protocol !== "https:" &&
    !(given.protocol === "http:" && isLoopback)
  )
    throw new EventSourceError(
      `${given.origin} is not encrypted: the address has to begin with https://; http:// is for this machine alone.`,
    );
  const url = new URL(given);
  url.search = "";
  url.hash = "";
  return {
    url,
    take: (name: string) => {
      const value = given.searchParams.get(name);
      if (value) return value;
      throw new EventSourceError(
        `Which ${name}? Add ${name}=NAME to the address behind the question mark.`,
      );
    },
  };
}
