import {
  startService,
  type Region,
  type Service,
  type ServiceOptions,
} from "@devid/service";
import type { Answer } from "../service/answer.js";
import { sender, type Send } from "../service/sender.js";

/** A request that the service answered, as its request log shows it. */
export interface LoggedRequest {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly surface: string;
}

type Json = Record<string, unknown>;

/** Starts a local service on a free port. Default: no rate limit and no log. */
export function startLocalService(
  options: ServiceOptions = {},
): Promise<Service> {
  return startService({
    port: 0,
    logLevel: "silent",
    rateLimit: "off",
    ...options,
  });
}

/** A fault as `POST /_local/faults` takes it. */
export interface Fault {
  readonly match: {
    readonly surface?: string;
    readonly method?: string;
    readonly path?: string;
  };
  readonly times?: number;
  readonly then: unknown;
  readonly after?: boolean;
}

/**
 * A local service and its workspaces, which tests inspect with plain HTTP and without
 * the SDK. `open` starts the service.
 *
 * `us`, `eu`, `ap` and `controlCall` return the answer of the service, and check that
 * the OpenAPI document describes the answer. The other methods are for tests that are
 * not about the service. They return its data, and throw if a call fails.
 */
export class LocalWorkspace implements Record<Region, Send> {
  #service: Service | undefined;
  /** Calls of the management API. */
  readonly us = this.#management("us");
  readonly eu = this.#management("eu");
  readonly ap = this.#management("ap");
  /** Calls below `/_local`. */
  readonly controlCall: Send = (...call) =>
    sender(`${this.url}/_local`, {})(...call);

  constructor(private readonly options: ServiceOptions = {}) {}

  static start(options: ServiceOptions = {}): Promise<LocalWorkspace> {
    return new LocalWorkspace(options).open();
  }

  async open(): Promise<this> {
    this.#service = await startLocalService(this.options);
    return this;
  }

  get service(): Service {
    if (!this.#service) throw new Error("The local service is not open yet.");
    return this.#service;
  }

  get url(): string {
    return this.service.url;
  }

  /** The variables that give `devid` the keys of the workspace in us. */
  get env(): Record<string, string> {
    const { managementKey, secretKey } = this.service.workspaces.us;
    return {
      DEVID_ENDPOINT: this.url,
      DEVID_MANAGEMENT_KEY: managementKey,
      DEVID_SECRET_KEY: secretKey,
    };
  }

  /**
   * Makes a call of the management API and returns the `data` of the answer.
   */
  async call(
    method: string,
    path: string,
    body?: unknown,
    region: Region = "us",
  ): Promise<unknown> {
    const headers = this.#managementHeaders(region);
    const place = `/management${path}`;
    const answer = await this.#send(method, place, body, headers);
    return (answer as { data?: unknown } | undefined)?.data;
  }

  /** Makes an object with the management API, as `make("/webhooks", { url })`. */
  async make(path: string, body: object, region: Region = "us") {
    const made = await this.call("POST", path, body, region);
    return made as Json & { readonly id: string };
  }

  /** Puts rules in force in an environment, by default in the default one. */
  async enforce(
    rules: readonly object[],
    environment?: string,
    region: Region = "us",
  ): Promise<void> {
    const body = { environment, mode: "overwrite", rules };
    await this.call("POST", "/filtering-rules/bulk", body, region);
  }

  /** All records of a list, at most 101. */
  async list(collection: string, region: Region = "us"): Promise<Json[]> {
    const query = collection === "filtering-rules" ? "" : "?limit=101";
    const path = `/${collection}${query}`;
    return (await this.call("GET", path, undefined, region)) as Json[];
  }

  /** An event of the workspace in a region, from the Server API. */
  async event(id: string | undefined, region: Region = "us"): Promise<Json> {
    const { secretKey } = this.service.workspaces[region];
    const headers = { authorization: `Bearer ${secretKey}` };
    const path = `/${region}/v4/events/${id}`;
    return (await this.#send("GET", path, undefined, headers)) as Json;
  }

  /** Everything in a workspace that changes only by a call. */
  async contents(region: Region = "us"): Promise<unknown> {
    const collections = [
      "api-keys",
      "webhooks",
      "encryption-keys",
      "filtering-rules",
      "environments",
    ];
    const lists = await Promise.all(
      collections.map((collection) => this.list(collection, region)),
    );
    return lists.map((records) =>
      records.map(
        ({ last_activated_at, last_deactivated_at, ...rest }) => rest,
      ),
    );
  }

  /** The service refuses the next such call. */
  async refuseOnce(match: Fault["match"], status = 403): Promise<void> {
    const error = { code: "x", message: "No" };
    await this.fault({ match, times: 1, then: { status, body: { error } } });
  }

  /** Makes a control call with a body, for example to `/us/events`. */
  control(path: string, body?: unknown): Promise<unknown> {
    return this.#send("POST", `/_local${path}`, body);
  }

  async fault(fault: Fault): Promise<void> {
    await this.control("/faults", fault);
  }

  /**
   * The next call of the management API, such as `POST /webhooks`, meets a fault: before the
   * service does it, or `after` it.
   */
  faultOnce(
    call: string,
    then: unknown,
    more: Pick<Fault, "times" | "after"> = {},
  ): Promise<void> {
    const [method = "", path = ""] = call.split(" ");
    const match = { method, path: `/management${path}` };
    return this.fault({ match, times: 1, then, ...more });
  }

  async forgetFaults(): Promise<void> {
    await this.#send("DELETE", "/_local/faults");
  }

  /** The requests of the management API that came after a mark. */
  async requestsSince(mark: number): Promise<LoggedRequest[]> {
    const log = await this.#send("GET", `/_local/requests?since=${mark}`);
    return (log as LoggedRequest[]).filter(
      ({ surface }) => surface === "management",
    );
  }

  /** The calls of the management API after a mark, as `GET /webhooks`. */
  async callsSince(mark: number): Promise<string[]> {
    return (await this.requestsSince(mark)).map(
      ({ method, path }) =>
        `${method} ${path.replace(/^\/management|\?.*$/g, "")}`,
    );
  }

  /** Those calls that may change something. */
  async writesSince(mark: number): Promise<string[]> {
    const calls = await this.callsSince(mark);
    return calls.filter((call) => !call.startsWith("GET "));
  }

  /** A mark in the request log; later requests have larger numbers. */
  async mark(): Promise<number> {
    const log = await this.#send("GET", "/_local/requests");
    return (log as LoggedRequest[]).at(-1)?.n ?? 0;
  }

  /**
   * The requests since the last reset, as `POST /webhooks 201`. Status 0 means that no
   * answer was sent.
   */
  async requests(): Promise<string[]> {
    const log = await this.#send("GET", "/_local/requests");
    return (log as LoggedRequest[]).map(
      ({ method, path, status }) =>
        `${method} ${path.replace(/^\/management/, "")} ${status}`,
    );
  }

  async reset(): Promise<void> {
    await this.#send("POST", "/_local/reset");
  }

  async moveClock(now: string): Promise<void> {
    await this.#send("POST", "/_local/clock", { now });
  }

  /** Moves the clock on, for example by `5m`. */
  advance(by: string): Promise<Answer> {
    return this.controlCall("POST", "/clock", { body: { advance: by } });
  }

  /** Changes settings of a workspace. */
  set(settings: object, region: Region = "us"): Promise<Answer> {
    return this.controlCall("POST", `/${region}/settings`, { body: settings });
  }

  /** The ID of a new environment. */
  async newEnvironment(name = "staging"): Promise<string> {
    return (await this.make("/environments", { name })).id;
  }

  /** A new API key. */
  async newKey(more: object = {}): Promise<{ id: string; token: string }> {
    const body = { type: "secret", name: "another", ...more };
    const { data } = await this.us("POST", "/api-keys", { body });
    return { id: data.id, token: String(data["token"]) };
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }

  #management(region: Region): Send {
    return (...call) => {
      const headers = this.#managementHeaders(region);
      return sender(`${this.url}/management`, headers)(...call);
    };
  }

  #managementHeaders(region: Region): Record<string, string> {
    return {
      authorization: `Bearer ${this.service.workspaces[region].managementKey}`,
      "x-api-version": "2025-11-20",
    };
  }

  /** The header of control calls, if the service has keys of its own. */
  get #controlKey(): Record<string, string> {
    const { keys } = this.options;
    if (typeof keys !== "object") return {};
    return { authorization: `Bearer ${keys.controlKey}` };
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = this.#controlKey,
  ): Promise<unknown> {
    const send = sender(this.url, headers);
    const options = { body, undocumented: true };
    const { status, text } = await send(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  }
}
