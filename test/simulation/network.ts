import type { InProcessService } from "./service";
import type { VirtualTime } from "./virtual-time";

const page = (status: number, headers: Record<string, string> = {}) => ({
  status,
  text: "<html>Welcome to the hotel</html>",
  headers: { "content-type": "text/html", ...headers },
});

/** What the service, or a gateway in front of it, answers to a call that fails. */
const ANSWERS = {
  "429": {
    status: 429,
    text: '{"error":{"code":"too_many_requests"}}',
    headers: { "retry-after": "1" },
  },
  "500": { status: 500, text: '{"error":{"code":"failed"}}', headers: {} },
  "504 page": page(504),
  "403 page": page(403),
  "404 page": page(404),
  redirect: page(302, { location: "https://login.example" }),
  "wrong body": page(200),
  empty: { status: 200, text: "", headers: {} },
};

type Failure = keyof typeof ANSWERS | "reset" | "hang";

/** The effect of a fault on a call. `done` means that the service carried out the call. */
export type Fault = Failure | `${Failure} done` | "truncated";

/** All of these effects. */
export const FAULTS: readonly Fault[] = [
  ...([...Object.keys(ANSWERS), "reset", "hang"] as Failure[]).flatMap(
    // The service does not count a call and carry it out.
    (one): Fault[] => (one === "429" ? [one] : [one, `${one} done`]),
  ),
  "truncated",
];

/** The points in a call or a checkpoint at which a process can be stopped. */
export const MOMENTS = [
  "before it is sent",
  "after the service did it",
  "after the answer",
] as const;

/** One of these points. */
export type Moment = (typeof MOMENTS)[number];

/** One effect of a command, in the order in which effects happen. */
export interface Effect {
  readonly what: "call" | "checkpoint";
  /** `POST /management/api-keys`. */
  readonly title?: string;
}

/** A call that reached the service. */
export interface Exchange {
  readonly by: string;
  readonly region: string;
  readonly method: string;
  /** The path without the prefix of the surface and without the query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** The processes that can be killed. */
export const VICTIMS = ["engine", "provider", "service"] as const;

/** One of these processes. */
export type Victim = (typeof VICTIMS)[number];

/** Something that goes wrong in a command. */
export type Trouble =
  | {
      readonly kind: "crash";
      readonly victim: Victim;
      readonly at: number;
      readonly moment: Moment;
    }
  | {
      readonly kind: "fault";
      readonly fault: Fault;
      readonly at: number;
      readonly isForever: boolean;
    }
  /** Somebody presses Ctrl-C when the effect begins. */
  | { readonly kind: "interrupt"; readonly at: number };

const never = () => new Promise<never>(() => undefined);

/** One provider process, which can be killed. */
export class ProcessLife {
  #isDead = false;
  #die: () => void = () => undefined;
  /** Settles when the process is killed. */
  readonly death = new Promise<void>((resolve) => {
    this.#die = resolve;
  });

  get isDead(): boolean {
    return this.#isDead;
  }

  kill(): void {
    this.#isDead = true;
    this.#die();
  }
}

/**
 * The network between provider processes and the service during one command. It gives
 * each call a latency, which decides the order of parallel work, and it causes trouble.
 */
export class Network {
  readonly effects: Effect[] = [];
  readonly exchanges: Exchange[] = [];
  #isEngineDead = false;
  #stop: () => void = () => undefined;
  /** Settles when the engine is killed. */
  readonly engineDeath = new Promise<void>((resolve) => {
    this.#stop = resolve;
  });
  #interrupt: () => void = () => undefined;
  /** Settles when somebody presses Ctrl-C. */
  readonly interrupt = new Promise<void>((resolve) => {
    this.#interrupt = resolve;
  });
  #serviceFails = 0;

  constructor(
    private readonly service: InProcessService,
    private readonly time: VirtualTime,
    private readonly random: () => number,
    private readonly trouble: Trouble | undefined,
    private readonly onExchange: (exchange: Exchange) => Promise<void> | void,
  ) {}

  /** The `fetch` of a provider process. */
  fetchOf(
    by: string,
    region: string,
    life: ProcessLife,
  ): (url: URL, init: RequestInit) => Promise<Response> {
    return async (url, init) => {
      const { signal } = init;
      const call = this.#call(by, region, life, url, init);
      if (!signal) return call;
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason as Error);
        signal.addEventListener("abort", abort, { once: true });
        call
          .then(resolve, reject)
          .finally(() => signal.removeEventListener("abort", abort));
      });
    };
  }

  /**
   * Counts a checkpoint as an effect. If the engine is killed before the checkpoint,
   * the promise never settles.
   */
  async checkpoint(save: () => void): Promise<void> {
    if (this.#isEngineDead) return never();
    const at = this.effects.push({ what: "checkpoint" }) - 1;
    await this.#pass(at, "before it is sent", undefined);
    if (this.#isEngineDead) return never();
    save();
  }

  async #call(
    by: string,
    region: string,
    life: ProcessLife,
    url: URL,
    init: RequestInit,
  ): Promise<Response> {
    if (life.isDead || this.#isEngineDead) return never();
    const method = init.method ?? "GET";
    const path = url.pathname + url.search;
    const at =
      this.effects.push({ what: "call", title: `${method} ${path}` }) - 1;
    await this.#pass(at, "before it is sent", life);
    await this.time.sleep(this.#latency());
    if (life.isDead || this.#isEngineDead) return never();
    const fault = this.#faultOf(at);
    const instead = await failed(fault);
    if (instead) return instead;
    if (this.#serviceFails > 0) {
      this.#serviceFails -= 1;
      throw refused();
    }
    const body = typeof init.body === "string" ? init.body : undefined;
    const answer = await this.service.send(
      method,
      path,
      body,
      // The client sends a plain record.
      init.headers as Record<string, string>,
    );
    const exchange = {
      by,
      region,
      method,
      path: url.pathname.replace(/^\/management/, ""),
      body: body === undefined ? undefined : (JSON.parse(body) as unknown),
      status: answer.status,
      answer: parsed(answer.text),
    };
    this.exchanges.push(exchange);
    await this.onExchange(exchange);
    await this.#pass(at, "after the service did it", life);
    await this.time.sleep(this.#latency());
    if (life.isDead || this.#isEngineDead) return never();
    const [, failure] = /^(.*) done$/.exec(fault ?? "") ?? [];
    const replaced = await failed(fault === "truncated" ? "reset" : failure);
    if (replaced) return replaced;
    await this.#pass(at, "after the answer", life);
    if (life.isDead || this.#isEngineDead) return never();
    return response(answer);
  }

  #latency(): number {
    return 1 + Math.floor(this.random() * 20);
  }

  #faultOf(at: number): Fault | undefined {
    const { trouble } = this;
    if (trouble?.kind !== "fault") return undefined;
    const isMet = trouble.isForever ? at >= trouble.at : at === trouble.at;
    return isMet ? trouble.fault : undefined;
  }

  async #pass(
    at: number,
    moment: Moment,
    life: ProcessLife | undefined,
  ): Promise<void> {
    const { trouble } = this;
    if (trouble?.at !== at) return;
    if (trouble.kind === "interrupt") this.#interrupt();
    if (trouble.kind !== "crash" || trouble.moment !== moment) return;
    switch (trouble.victim) {
      case "engine":
        this.#isEngineDead = true;
        this.#stop();
        return never();
      case "provider":
        life?.kill();
        return life ? never() : undefined;
      case "service":
        this.#serviceFails = 2;
        if (moment !== "before it is sent" && life) throw reset();
        return undefined;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The answer of a call that fails. Undefined for no failure. */
async function failed(failure?: string): Promise<Response | undefined> {
  if (failure === "reset") throw reset();
  if (failure === "hang") return never();
  const answer = ANSWERS[failure as keyof typeof ANSWERS];
  return answer && response(answer);
}

const reset = () =>
  Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

const refused = () =>
  Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/**
 * The part of a response that the client reads. A full `Response` takes ten times as
 * long to make.
 */
function response({
  status,
  text,
  headers = {},
}: {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}): Response {
  const chunks = status === 204 || text === "" ? [] : [Buffer.from(text)];
  const reader = {
    read: () => {
      const value = chunks.shift();
      return Promise.resolve({ done: value === undefined, value });
    },
    cancel: () => Promise.resolve(),
  };
  return {
    status,
    headers: new Map(
      Object.entries({ "content-type": "application/json", ...headers }),
    ),
    body: { getReader: () => reader },
  } as unknown as Response;
}
