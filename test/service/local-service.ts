import { type Region, type Service, type ServiceOptions } from "@devid/service";
import { startLocalService } from "../helpers/local-workspace";
import { Answer } from "./answer.js";
import { assertDocumented } from "./documented.js";

/** What a test may change about a call. */
export interface CallOptions {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  /** Added to the usual ones; undefined takes one away. */
  readonly headers?: Record<string, string | undefined>;
  /** A fault answers, so the OpenAPI document does not tell how. */
  readonly undocumented?: boolean;
}

export type Send = (
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer>;

/**
 * A local service on a free port, without rate limit and log unless told
 * otherwise, and how to call its surfaces over HTTP. There is none before `open`.
 */
export class LocalService implements Record<Region, Send> {
  #service: Service | undefined;
  readonly us = this.#management("us");
  readonly eu = this.#management("eu");
  readonly ap = this.#management("ap");
  /** Calls below `/_local`. */
  readonly control: Send = (...call) =>
    sender(`${this.service.url}/_local`, {})(...call);

  constructor(private readonly options: ServiceOptions = {}) {}

  async open(): Promise<this> {
    this.#service = await startLocalService(this.options);
    return this;
  }

  get service(): Service {
    if (!this.#service) throw new Error("The local service is not open yet.");
    return this.#service;
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }

  #management(region: Region): Send {
    return (...call) => {
      const { url, workspaces } = this.service;
      const send = sender(`${url}/management`, {
        authorization: `Bearer ${workspaces[region].managementKey}`,
        "x-api-version": "2025-11-20",
      });
      return send(...call);
    };
  }
}

/** Starts a service of a test's own. */
export function startLocal(options?: ServiceOptions): Promise<LocalService> {
  return new LocalService(options).open();
}

/** Calls below a base address, with the usual headers. */
export function sender(base: string, usual: Record<string, string>): Send {
  return async (method, path, { body, text, headers, undocumented } = {}) => {
    const content =
      text ?? (body === undefined ? undefined : JSON.stringify(body));
    const all = {
      ...usual,
      ...(content !== undefined && { "content-type": "application/json" }),
      ...headers,
    };
    const response = await fetch(`${base}${path}`, {
      method,
      headers: Object.entries(all).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
      ...(content !== undefined && { body: content }),
    });
    const answer = new Answer(
      response.status,
      response.headers,
      await response.text(),
    );
    if (!undocumented)
      await assertDocumented(new URL(`${base}${path}`), method, body, answer);
    return answer;
  };
}
