import { channel } from "node:diagnostics_channel";
import { startService, type Region, type Service } from "@devid/service";
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
  readonly keys: readonly ServiceRecord[];
  readonly webhooks: readonly ServiceRecord[];
  readonly encryptionKeys: readonly ServiceRecord[];
  readonly environments: readonly ServiceRecord[];
  readonly rules: readonly ServiceRecord[];
}

/** The regions that stories use. */
export const STORY_REGIONS = ["us", "eu"] as const;

/** One of them. */
export type StoryRegion = (typeof STORY_REGIONS)[number];

/** The workspaces by their regions. */
export type Workspaces = Readonly<Record<StoryRegion, Workspace>>;

/**
 * The local service in this process. Requests reach its routes without a socket, so
 * that a story costs milliseconds.
 */
export class InProcessService {
  private constructor(
    private readonly app: App,
    private readonly service: Service,
    private readonly time: VirtualTime,
  ) {}

  static async start(time: VirtualTime): Promise<InProcessService> {
    let app: App | undefined;
    const started = channel("fastify.initialization");
    const note = (message: unknown) => {
      app = (message as { fastify: App }).fastify;
    };
    started.subscribe(note);
    const service = await startService({
      port: 0,
      logLevel: "silent",
      rateLimit: "off",
    });
    started.unsubscribe(note);
    if (!app) throw new Error("The service has no Fastify instance.");
    return new InProcessService(app, service, time);
  }

  get url(): string {
    return this.service.url;
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
      const answer = await this.app.inject({
        method,
        url: path,
        headers: { ...headers, host: new URL(this.url).host },
        ...(body !== undefined && { payload: body }),
      });
      return { status: answer.statusCode, text: answer.body };
    });
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
    return {
      keys: await list("/api-keys?limit=101"),
      webhooks: await list("/webhooks?limit=101"),
      encryptionKeys: await list("/encryption-keys?limit=101"),
      environments: await list("/environments?limit=101"),
      rules: await list("/filtering-rules"),
    };
  }

  /** Everything that the workspaces of the story's regions have. */
  async allWorkspaces(): Promise<Workspaces> {
    return {
      us: await this.workspace("us"),
      eu: await this.workspace("eu"),
    };
  }

  /** What they have at the start of each story. */
  async firstWorkspaces(): Promise<Workspaces> {
    return (this.#first ??= await this.allWorkspaces());
  }

  #first: Workspaces | undefined;

  /** Goes back to the state of the first start. */
  async reset(): Promise<void> {
    await this.send("POST", "/_local/reset", undefined, {});
  }

  close(): Promise<void> {
    return this.service.close();
  }
}
