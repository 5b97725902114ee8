import { channel } from "node:diagnostics_channel";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startService, type Region, type Service } from "@devid/service";
import { Db } from "../../service/src/store/db";
import { listen } from "../helpers/listen";
import { COLLECTIONS, type RECEIVERS } from "./kinds";
import type { Kind } from "./program";
import type { VirtualTime } from "./virtual-time";

/** What `inject` of Fastify takes and answers. */
interface App {
  inject(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly payload?: string;
  }): Promise<{ readonly statusCode: number; readonly body: string }>;
}

/** A record of the service. */
export type ServiceRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
};

/** Everything that one workspace has. */
export interface Workspace {
  readonly objects: ReadonlyMap<Kind, readonly ServiceRecord[]>;
  readonly rules: readonly ServiceRecord[];
}

/** The tables whose rows belong to a workspace, which are those that stories change. */
const TABLES_OF_WORKSPACES = `
  SELECT name FROM main.sqlite_master WHERE type = 'table' AND EXISTS
    (SELECT 1 FROM pragma_table_info(sqlite_master.name) WHERE name = 'workspace')`;

/** A state of the service to which stories return. */
export type KeptState = "first start" | "before the trouble";

/** The regions that stories use. */
export const STORY_REGIONS = ["us", "eu"] as const;

/** One of these regions. */
export type StoryRegion = (typeof STORY_REGIONS)[number];

/** The workspaces by their regions. */
export type Workspaces = Readonly<Record<StoryRegion, Workspace>>;

/**
 * The local service in this process. Requests reach its routes without a socket, so
 * that a story costs milliseconds.
 */
export class InProcessService {
  private readonly tables: readonly string[];

  private constructor(
    private readonly app: App,
    private readonly service: Service,
    private readonly time: VirtualTime,
    private readonly server: Server,
    private readonly database: Db,
  ) {
    this.tables = database
      .all<{ name: string }>(TABLES_OF_WORKSPACES)
      .map(({ name }) => name);
  }

  static async start(time: VirtualTime): Promise<InProcessService> {
    let app: App | undefined;
    const started = channel("fastify.initialization");
    const note = (message: unknown) => {
      app = (message as { fastify: App }).fastify;
    };
    started.subscribe(note);
    let database: Db | undefined;
    const open = Db.open.bind(Db);
    Db.open = (path) => (database = open(path));
    const service = await startService({
      port: 0,
      logLevel: "silent",
      rateLimit: "off",
    });
    started.unsubscribe(note);
    Db.open = open;
    if (!app) throw new Error("The service has no Fastify instance.");
    if (!database) throw new Error("The service has no database.");
    const server = createServer((_, response) => response.end());
    await listen(server);
    const inProcess = new InProcessService(
      app,
      service,
      time,
      server,
      database,
    );
    inProcess.keep("first start");
    return inProcess;
  }

  get url(): string {
    return this.service.url;
  }

  private get host(): string {
    return this.url.replace("http://", "");
  }

  /** The addresses that answer test events, by their labels. Each begins with the first. */
  get receivers(): Readonly<Record<(typeof RECEIVERS)[number], string>> {
    const { port } = this.server.address() as AddressInfo;
    const receiver = `http://127.0.0.1:${port}/hook`;
    return { receiver, "second receiver": `${receiver}/2` };
  }

  managementKey(region: Region): string {
    return this.service.workspaces[region].managementKey;
  }

  /** ID of the default environment. */
  defaultEnvironment(region: Region): string {
    return this.service.workspaces[region].environment;
  }

  /** Carries out a request; no time passes. */
  send(
    method: string,
    path: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string }> {
    return this.time.whileStill(async () => {
      const answer = await this.#ask(method, path, body, headers);
      const hook = path.match(/^(.*)\/verification$/)?.[1];
      if (hook !== undefined && answer.text.includes(this.receivers.receiver))
        await this.#verified(hook, headers);
      return answer;
    });
  }

  async #ask(
    method: string,
    url: string,
    payload: string | undefined,
    given: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string }> {
    const headers = { ...given, host: this.host };
    const answer = await this.app.inject({
      ...{ method, url, headers },
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, text: answer.body };
  }

  /** Waits until the receiver has answered the test event. No time passes meanwhile. */
  async #verified(
    hook: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (let turn = 0; turn < 10_000; turn++) {
      const { text } = await this.#ask("GET", hook, undefined, headers);
      if (text.includes('"verified":true')) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`${hook} was not verified by its receiver.`);
  }

  /** Makes a call of the management API as a person in the dashboard does. */
  async call(
    region: Region,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const { status, text } = await this.send(
      method,
      `/management${path}`,
      body === undefined ? undefined : JSON.stringify(body),
      {
        authorization: `Bearer ${this.managementKey(region)}`,
        "x-api-version": "2025-11-20",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
    );
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === ""
      ? undefined
      : (JSON.parse(text) as { data?: unknown }).data;
  }

  async workspace(region: Region): Promise<Workspace> {
    const list = (path: string) =>
      this.call(region, "GET", path) as Promise<ServiceRecord[]>;
    const objects = new Map<Kind, ServiceRecord[]>();
    for (const [kind, collection] of Object.entries(COLLECTIONS))
      objects.set(kind as Kind, await list(`/${collection}?limit=101`));
    return { objects, rules: await list("/filtering-rules") };
  }

  /** The objects of the workspaces at the start of each story. */
  async firstWorkspaces(): Promise<Workspaces> {
    return (this.#first ??= {
      us: await this.workspace("us"),
      eu: await this.workspace("eu"),
    });
  }

  #first: Workspaces | undefined;

  /** Copies the state of the service. */
  keep(state: KeptState): void {
    for (const table of this.tables) {
      const copy = copyOf(table, state);
      this.database.run(
        `CREATE TEMP TABLE IF NOT EXISTS ${copy} AS SELECT * FROM ${table} WHERE 0`,
      );
      this.database.run(`DELETE FROM ${copy}`);
      this.database.run(`INSERT INTO ${copy} SELECT * FROM ${table}`);
    }
  }

  /** Returns to a state of the service. A reset of the service takes ten times as long. */
  returnTo(state: KeptState): void {
    this.database.tx(() => {
      // Rows of a table refer to rows of others.
      this.database.run("PRAGMA defer_foreign_keys = ON");
      for (const table of this.tables)
        this.database.run(`DELETE FROM ${table}`);
      for (const table of this.tables)
        this.database.run(
          `INSERT INTO ${table} SELECT * FROM ${copyOf(table, state)}`,
        );
    });
  }

  close(): Promise<void> {
    this.server.close();
    return this.service.close();
  }
}

/** The table with the copy of another table. */
const copyOf = (table: string, state: KeptState) =>
  `temp.${table}_at_${state.replaceAll(" ", "_")}`;
