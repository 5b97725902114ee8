import { isLoopback, type Region } from "@devid/sdk/wire";
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { Clock } from "./clock";
import type { Context } from "./context";
import { consoleRoutes } from "./console/console-routes";
import { controlSurface } from "./control/control-surface";
import { drnSurface } from "./device-reputation/device-reputation-surface";
import { Faults } from "./http/faults";
import {
  listenAlone,
  type OwnPort,
  SEPARATE,
  type SeparateSurface,
} from "./http/own-ports";
import { RateLimiter } from "./http/rate-limiter";
import { RequestLog } from "./http/request-log";
import { buildServer, listen } from "./http/server";
import { agentSurface } from "./identification/agent-surface";
import {
  DEVELOPMENT_KEYS,
  KEYS_WITHOUT_DASHES,
  perRegion,
  readKeys,
  type ServiceKeys,
} from "./keys";
import {
  analyticsSurface,
  managementSurface,
} from "./management/management-surface";
import { ReadyFile } from "./ready-file";
import { eventsSurface } from "./server-api/events-surface";
import { legacySurfaces } from "./server-api/version-3-until-2027-01-07/legacy-surfaces";
import { limitErasureWaits } from "./visitor-eraser";
import { StartError } from "./service-errors";
import { checkNumbers, type ServiceOptions } from "./service-options";
import { isDiskFull, startErrorOf } from "./store/db";
import { openStore, type Store } from "./store/store";
import { Courier } from "./webhooks/courier";

/** What a program needs to use one workspace. */
export interface Workspace {
  readonly managementKey: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** ID of the default environment. */
  readonly environment: string;
}

/** A running local service. */
export interface Service {
  /** The origin to call, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly workspaces: Readonly<Record<Region, Workspace>>;
  /**
   * With `surfaces: "separate"`, the origins where the management API, the events and the
   * agent of each region, and device reputation have their paths of production.
   */
  readonly surfaces?: Readonly<Record<SeparateSurface, string>>;
  /** Removes the ready file at once, finishes the running requests, for at most 5 s, and stops. May be called again. */
  close(): Promise<void>;
}

/** How long requests that are under way may take when the service stops: 5 s with what is left to do then. */
const GRACE_MS = 4_500;

/**
 * Starts the local service and resolves when it takes requests. Throws
 * StartError when it cannot.
 *
 * @example
 * const service = await startService({ port: 0 });
 * const { managementKey } = service.workspaces.us;
 * await service.close();
 */
export async function startService(
  options: ServiceOptions = {},
): Promise<Service> {
  const { port = 8787, host = "127.0.0.1", data = ":memory:" } = options;
  const { surfaces = "together" } = options;
  checkNumbers(options);
  if (options.keys === undefined && !isLoopback(host))
    throw new StartError(
      `Listening on ${host} would let other machines in with keys that everybody knows. Give a keys file (--keys FILE), or leave out --host.`,
    );
  const keys =
    options.keys === undefined
      ? surfaces === "separate"
        ? KEYS_WITHOUT_DASHES
        : DEVELOPMENT_KEYS
      : readKeys(options.keys);
  if (options.readyFile !== undefined)
    await ReadyFile.removeLeftOver(options.readyFile);
  const log = logger(options);
  const clock = new Clock();
  const store = openStore(data, clock, keys);
  const context: Context = {
    host,
    keys,
    clock,
    store,
    rateLimiter: new RateLimiter(options.rateLimit ?? 5),
    requestLog: new RequestLog(),
    faults: new Faults(),
    courier: new Courier(store, clock, log),
    limits: options.limits ?? "off",
    mutableAfterMs: options.mutableAfterMs ?? 2_000,
    searchTimeoutMs: options.searchTimeoutMs ?? 30_000,
  };
  const limitWaits = () => limitErasureWaits(store, clock.nowMs());
  clock.onMove(limitWaits);
  const apis = [
    managementSurface(context),
    analyticsSurface(),
    eventsSurface(context),
    ...legacySurfaces(context),
    drnSurface(context),
    agentSurface(context),
    controlSurface(context),
  ];
  const server = buildServer({
    watch: context,
    surfaces: apis,
    pages: consoleRoutes(context),
    // Everybody knows the development keys, web pages included.
    onlyHost: options.keys === undefined ? host : undefined,
    log,
  });
  const own: OwnPort[] = [];
  const stop = once(() => stopService(context, server, own));
  try {
    limitWaits();
    const url = await listen(server, port, host);
    if (surfaces === "separate")
      for (const name of SEPARATE)
        own.push(await listenAlone(server, name, host));
    const workspaces = workspacesOf(keys, store);
    // With any, there is one for each name.
    const addresses = Object.fromEntries(
      own.map((one) => [one.name, one.url]),
    ) as Record<SeparateSurface, string>;
    const answers = {
      url,
      ...(own.length > 0 && { surfaces: addresses }),
      workspaces,
    };
    const ready =
      options.readyFile === undefined
        ? undefined
        : new ReadyFile(options.readyFile, answers);
    ready?.write();
    log.info({ url }, "ready");
    context.courier.start([url, ...own.map((one) => one.url)]);
    const close = async () => {
      ready?.remove();
      await stop();
    };
    return { ...answers, close };
  } catch (error) {
    await stop();
    throw isDiskFull(error) ? startErrorOf(data, error) : error;
  }
}

/**
 * Stops listening and starting deliveries, waits for the requests and the
 * deliveries under way, then closes the database. A delivery that a late request
 * asks for is sent after the next start.
 */
async function stopService(
  { courier, faults, store }: Context,
  app: FastifyInstance,
  own: readonly OwnPort[],
): Promise<void> {
  faults.release();
  const deadline = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await Promise.all([
      app.close(),
      ...own.map(({ close }) => close()),
      courier.close(),
    ]);
  } finally {
    clearTimeout(deadline);
    store.close();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function workspacesOf(keys: ServiceKeys, store: Store): Service["workspaces"] {
  return perRegion((region) => {
    const environment = store.environments.default(region)?.id ?? "";
    return { ...keys.workspaces[region], environment };
  });
}

function logger({ logLevel = "info", logTo }: ServiceOptions): Logger {
  // Lines are written at once, so that none is lost when the process ends.
  const target = logTo ?? pino.destination({ dest: 2, sync: true });
  return pino({ level: logLevel, base: undefined }, target);
}
