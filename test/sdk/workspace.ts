import {
  createClient,
  optionsFromEnvironment,
  type Client,
  type ClientOptions,
  type ConnectionOptions,
  type RetryPolicy,
  type Settings,
} from "@devid/sdk";
import { startService, type Service } from "@devid/service";

/** Retries as often as usual, and hardly waits in between. */
export const QUICK_RETRY: RetryPolicy = {
  maxAttempts: 4,
  budgetMs: 5_000,
  baseDelayMs: 4,
  maxDelayMs: 8,
};

/** A fault as the control call takes it. */
export interface Fault {
  readonly match: { readonly method?: string; readonly path?: string };
  readonly times?: number;
  readonly then: unknown;
  readonly after?: boolean;
}

/** Options from settings alone; the process environment has no say. */
export function configurationFrom(settings: Settings): ConnectionOptions {
  return optionsFromEnvironment(
    [{ settings, describe: (name) => `test setting ${name}` }],
    {},
  );
}

/** The US workspace of a local service on a free port, seen from both sides. */
export class Workspace {
  private constructor(readonly service: Service) {}

  static async start(rateLimit: number | "off" = "off"): Promise<Workspace> {
    const service = await startService({
      port: 0,
      logLevel: "silent",
      rateLimit,
    });
    return new Workspace(service);
  }

  /** ID of the default environment. */
  get environment(): string {
    return this.service.workspaces.us.environment;
  }

  configuration(settings: Settings = {}): ConnectionOptions {
    return configurationFrom({
      endpoint: this.service.url,
      managementKey: this.service.workspaces.us.managementKey,
      secretKey: this.service.workspaces.us.secretKey,
      requestsPerSecond: "100000",
      eventsRequestsPerSecond: "off",
      ...settings,
    });
  }

  /** A client that hardly waits before it tries again. */
  client(options: ClientOptions = {}, settings: Settings = {}): Client {
    const retry = QUICK_RETRY;
    return createClient({ ...this.configuration(settings), retry, ...options });
  }

  async fault(fault: Fault): Promise<void> {
    await this.#control("POST", "/faults", fault);
  }

  async forgetFaults(): Promise<void> {
    await this.#control("DELETE", "/faults");
  }

  /** The requests since the last reset, as `POST /webhooks 201`; status 0 is no answer. */
  async requests(): Promise<string[]> {
    const answer = await this.#control("GET", "/requests");
    const log = (await answer.json()) as {
      method: string;
      path: string;
      status: number;
    }[];
    return log.map(
      ({ method, path, status }) =>
        `${method} ${path.replace(/^\/management/, "")} ${status}`,
    );
  }

  async reset(): Promise<void> {
    await this.#control("POST", "/reset");
  }

  /** Any other control call, `/us/events` for one. */
  async control(path: string, body: unknown): Promise<void> {
    await this.#control("POST", path, body);
  }

  async moveClock(now: string): Promise<void> {
    await this.#control("POST", "/clock", { now });
  }

  close(): Promise<void> {
    return this.service.close();
  }

  async #control(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${this.service.url}/_local${path}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
    });
    if (!answer.ok)
      throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  }
}

/** What a call rejects with. */
export async function rejection(call: Promise<unknown>): Promise<Error> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in result && result.error instanceof Error) return result.error;
  throw new Error(`It did not reject with an error: ${JSON.stringify(result)}`);
}
