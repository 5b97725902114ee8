import {
  createClient,
  optionsFromEnvironment,
  type Client,
  type ClientOptions,
  type ConnectionOptions,
  type RetryPolicy,
  type Settings,
} from "@devid/sdk";
import type { ServiceOptions } from "@devid/service";
import { beforeEach } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

/** The usual number of retries, with hardly any wait in between. */
export const QUICK_RETRY: RetryPolicy = {
  maxAttempts: 4,
  budgetMs: 5_000,
  baseDelayMs: 4,
  maxDelayMs: 8,
};

/** Options from settings only. The process environment is ignored. */
export function configurationFrom(settings: Settings): ConnectionOptions {
  return optionsFromEnvironment(
    [{ settings, describe: (name) => `test setting ${name}` }],
    {},
  );
}

/** The US workspace of a local service, with clients of the SDK for it. */
export class Workspace extends LocalWorkspace {
  static override start(options: ServiceOptions = {}): Promise<Workspace> {
    return new Workspace(options).open();
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

  /** A client that hardly waits before a retry. */
  client(options: ClientOptions = {}, settings: Settings = {}): Client {
    const retry = QUICK_RETRY;
    return createClient({ ...this.configuration(settings), retry, ...options });
  }
}

/** A workspace for the tests of a file. Each test finds it as after its first start. */
export function workspaceForTests(): Workspace {
  const workspace = openForTests(new Workspace());
  beforeEach(() => workspace.reset());
  return workspace;
}

/** The error that a call rejects with. */
export async function rejection(call: Promise<unknown>): Promise<Error> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in result && result.error instanceof Error) return result.error;
  throw new Error(`It did not reject with an error: ${JSON.stringify(result)}`);
}

/** The error that a call throws at once. */
export function thrown(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("It did not throw an error.");
}
