import type { SqlRow } from "../sql";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { EventSource } from "../source";
import type { QueryOptions } from "./engine";
import { HttpEngine, inHeader, TOO_LONG } from "./http";

/** The members of an answer of Trino's client protocol that are used here. */
const QueryResults = z.object({
  id: z.string(),
  nextUri: z.url().optional(),
  data: z.array(z.array(z.unknown())).optional(),
  stats: z.object({ progressPercentage: z.number().nullish() }).optional(),
  error: z
    .object({ message: z.string().nullish(), errorName: z.string().nullish() })
    .optional(),
});

/** Statuses after which the client asks the coordinator again. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_BUSY = 30;
/**
 * Milliseconds by which each pause is longer than the one before. All pauses take 44 s, in
 * which a coordinator, or the gateway in front of it, can start again.
 */
const BUSY_MS = 100;

/** Trino over its client protocol. Queries only read, and end with the command. */
export class Trino extends HttpEngine {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    { url, catalog, schema, table }: Extract<EventSource, { kind: "trino" }>,
    { maxSeconds }: { readonly maxSeconds: number },
  ) {
    super("trino", "Trino", url, [catalog, schema, table], maxSeconds);
    const { user = "devid", password } = this;
    this.#headers = {
      "X-Trino-User": inHeader("TRINO_USER", user),
      "X-Trino-Source": "devid",
      "X-Trino-Catalog": inHeader("catalog of the address", catalog),
      "X-Trino-Schema": inHeader("schema of the address", schema),
      "X-Trino-Session": `query_max_run_time=${maxSeconds}s`,
      ...(password !== undefined && {
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
      }),
    };
  }

  async *query(
    sql: string,
    { signal, onProgress }: QueryOptions = {},
  ): AsyncGenerator<readonly SqlRow[]> {
    const statement = new URL("/v1/statement", this.url);
    const ends = this.limited(signal);
    let next: URL | undefined;
    try {
      let results = await this.#ask("POST", statement, ends, sql);
      while (true) {
        next = this.#nextOf(results.nextUri);
        if (results.error) {
          next = undefined;
          const { errorName, message } = results.error;
          throw this.refusal(
            `${errorName ?? "error"}: ${message ?? ""}`,
            ADVICE.get(errorName ?? ""),
          );
        }
        const { progressPercentage } = results.stats ?? {};
        if (onProgress && typeof progressPercentage === "number")
          onProgress({ share: progressPercentage / 100 });
        // Queries ask for text and numbers only.
        if (results.data) yield results.data as SqlRow[];
        if (!next) return;
        results = await this.#ask("GET", next, ends);
      }
    } finally {
      if (next) await this.#cancel(next);
    }
  }

  async #ask(
    method: "GET" | "POST",
    url: URL,
    signal: AbortSignal,
    body?: string,
  ): Promise<z.output<typeof QueryResults>> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send({
        method,
        url,
        headers: this.#headers,
        body,
        signal,
      });
      const { statusCode } = answer;
      const text = await answer.body.text().catch((error: unknown) => {
        throw this.failure(error, signal);
      });
      if (statusCode === 200) return this.#read(text);
      const isBusy = BUSY.has(statusCode);
      const advice = isBusy ? LATER : CREDENTIALS.get(statusCode);
      if (advice === undefined) throw this.foreign(statusCode, text);
      if (!isBusy || attempt === MOST_BUSY)
        throw this.refusal(`${statusCode} ${text.trim()}`, advice);
      await sleep(BUSY_MS * attempt, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  }

  #read(text: string): z.output<typeof QueryResults> {
    try {
      return QueryResults.parse(JSON.parse(text));
    } catch (error) {
      throw Object.assign(this.foreign(200, text), { cause: error });
    }
  }

  /** The address of the next part. Credentials go to the coordinator's own address only. */
  #nextOf(uri: string | undefined): URL | undefined {
    if (uri === undefined) return undefined;
    const given = new URL(uri);
    const next = new URL(this.url);
    next.pathname = given.pathname;
    next.search = given.search;
    return next;
  }

  /** Ends a query on the server. A failure is ignored: a server that is gone has ended its queries. */
  async #cancel(url: URL): Promise<void> {
    try {
      const { body } = await this.send({
        method: "DELETE",
        url,
        headers: this.#headers,
        signal: AbortSignal.timeout(5_000),
      });
      await body.dump();
    } catch {
      // The query ends at its time limit anyway.
    }
  }
}

const LATER = "Trino has too much to do: run the command again later.";
const USER = "Check TRINO_USER and TRINO_PASSWORD, and what the user may read.";
/** Advice for a refusal of a user, by its status. */
const CREDENTIALS: ReadonlyMap<number, string> = new Map([
  [401, USER],
  [403, USER],
]);

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["EXCEEDED_TIME_LIMIT", TOO_LONG],
  [
    "QUERY_TEXT_TOO_LARGE",
    "The rules are too long for one query: allow more with query.max-length on the coordinator.",
  ],
]);
