import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  UpdateRequest,
  type CheckResponse,
  type CreateResponse,
  type ReadResponse,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import {
  Struct,
  type JavaScriptValue,
} from "google-protobuf/google/protobuf/struct_pb";
import type * as registry from "../../provider/src/registry";
import { QUICK_START } from "./quick-programs";
import { UNTHROTTLED } from "./unthrottled";
import { ROOT } from "./repository";

/** Properties of a resource in the form in which the engine passes them. */
export type Properties = Record<string, unknown>;

/** Names of the resource handlers in `@devid/pulumi/provider`. */
export type Kind = keyof typeof registry;

/**
 * A call of the host failed. `kept` is an object that exists despite the
 * failure.
 */
export class HostError extends Error {
  override readonly name = "HostError";

  constructor(
    message: string,
    readonly kept?: {
      readonly id: string;
      readonly properties: Properties;
      readonly reasons: string[];
    },
  ) {
    super(message);
  }
}

/** The host's answer to Check. */
export interface CheckAnswer {
  readonly inputs: Properties;
  readonly failures: { readonly property: string; readonly reason: string }[];
}

/** The host's answer to Diff. */
export interface DiffAnswer {
  readonly changes: boolean;
  readonly replaces: readonly string[];
}

/** An object and its state; an empty ID means that the object is gone. */
export interface StateAnswer {
  readonly id: string;
  readonly properties: Properties;
}

/** Calls of a provider host, in the words of the engine. */
export interface Host extends Pick<
  ProviderHost,
  "stderr" | "check" | "create" | "read" | "update" | "delete"
> {
  /**
   * Waits until everything that the host has written to standard error has
   * arrived. An answer of the host may arrive earlier than its output, so a
   * test that expects no output has to wait here first.
   */
  allOutput(): Promise<string>;
  stop(): Promise<void>;
  diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<DiffAnswer>;
}

const HOST = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const MARK_WHEN_READ = path.resolve(__dirname, "mark-when-read.cjs");
const END_OF_OUTPUT = "(end of output)\n";

/** Starts a provider in a separate process, as the engine does. */
export async function startProvider(
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{
  child: ChildProcessWithoutNullStreams;
  client: ResourceProviderClient;
}> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^DEVID_/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    ...UNTHROTTLED,
    ...settings,
    // Without settings, the provider would call the public service. Nothing listens
    // at this address.
    DEVID_ENDPOINT: "http://127.0.0.1:9",
  };
  const child = spawn(process.execPath, [...args, "127.0.0.1:9"], { cwd, env });
  const lines = createInterface({ input: child.stdout });
  const [port] = (await once(lines, "line")) as [string];
  const client = new ResourceProviderClient(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
  );
  return { child, client };
}

/** A provider in a separate process, called as the engine calls it. */
export abstract class ProviderHost {
  /** Everything that the host has written to standard error. */
  stderr = "";
  /** The URN of the next requests about a resource. */
  urn = "";

  protected constructor(
    protected readonly child: ChildProcessWithoutNullStreams,
    readonly client: ResourceProviderClient,
  ) {
    child.stderr.on("data", (text: Buffer) => (this.stderr += text.toString()));
  }

  #about<
    R extends { setType(type: string): unknown; setUrn(urn: string): unknown },
  >(request: R, kind: string): R {
    request.setType(this.typeOf(kind));
    request.setUrn(this.urn);
    return request;
  }

  /** The type in a request about a resource of a kind. */
  protected abstract typeOf(kind: string): string;
  /** The properties of a request, and those of an answer. */
  protected abstract sent(kind: string, properties: Properties): Properties;
  protected abstract received(properties: Struct | undefined): Properties;

  protected answer<A>(
    send: (done: (error: ServiceError | null, answer: A) => void) => unknown,
  ): Promise<A> {
    return answerWith((properties) => this.received(properties))(send);
  }

  /**
   * `olds` are the inputs in the state. Left out for a new object and for a
   * replacement.
   */
  async check(
    kind: string,
    news: Properties,
    olds?: Properties,
  ): Promise<CheckAnswer> {
    const request = this.#about(new CheckRequest(), kind)
      .setOlds(struct(olds ? this.sent(kind, olds) : {}))
      .setNews(struct(this.sent(kind, news)));
    const checked = await this.answer<CheckResponse>((done) =>
      this.client.check(request, done),
    );
    return {
      inputs: this.received(checked.getInputs()),
      failures: checked.getFailuresList().map((failure) => {
        const [property, reason] = [failure.getProperty(), failure.getReason()];
        return property === ""
          ? namedInText(reason)
          : this.named({ property, reason });
      }),
    };
  }

  /** A failure that names an input for the engine, which prints the input's value. */
  protected named<F extends { readonly property: string }>(failure: F): F {
    return failure;
  }

  protected compared(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    ignoreChanges: string[] = [],
  ): Promise<DiffResponse> {
    const request = this.#about(new DiffRequest(), kind)
      .setId(id)
      .setOlds(struct(this.sent(kind, olds)))
      .setNews(struct(this.sent(kind, news)))
      .setIgnorechangesList(ignoreChanges);
    return this.answer((done) => this.client.diff(request, done));
  }

  /** With `preview`, nothing is created, and unknown outputs are `UNKNOWN_TEXT`. */
  async create(
    kind: string,
    inputs: Properties,
    preview = false,
    timeoutSeconds = 0,
  ): Promise<StateAnswer> {
    const request = this.#about(new CreateRequest(), kind)
      .setProperties(struct(this.sent(kind, inputs)))
      .setTimeout(timeoutSeconds)
      .setPreview(preview);
    const made = await this.answer<CreateResponse>((done) =>
      this.client.create(request, done),
    );
    return {
      id: made.getId(),
      properties: this.received(made.getProperties()),
    };
  }

  async read(
    kind: string,
    id: string,
    state: Properties = {},
  ): Promise<StateAnswer & { readonly inputs: Properties }> {
    const request = this.#about(new ReadRequest(), kind)
      .setId(id)
      .setProperties(struct(this.sent(kind, state)));
    const found = await this.answer<ReadResponse>((done) =>
      this.client.read(request, done),
    );
    return {
      id: found.getId(),
      properties: this.received(found.getProperties()),
      inputs: this.received(found.getInputs()),
    };
  }

  async update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    preview = false,
  ): Promise<Properties> {
    const request = this.#about(new UpdateRequest(), kind)
      .setId(id)
      .setOlds(struct(this.sent(kind, olds)))
      .setNews(struct(this.sent(kind, news)))
      .setPreview(preview);
    const updated = await this.answer<UpdateResponse>((done) =>
      this.client.update(request, done),
    );
    return this.received(updated.getProperties());
  }

  async delete(kind: string, id: string, state: Properties): Promise<void> {
    const request = this.#about(new DeleteRequest(), kind)
      .setId(id)
      .setProperties(struct(this.sent(kind, state)));
    await this.answer((done) => this.client.delete(request, done));
  }
}

/** A failure that names its input in its text. */
export function namedInText(text: string) {
  const [, property = "", reason = text] =
    /^([\w[\]."'-]+): (.*)$/s.exec(text) ?? [];
  return { property, reason };
}

/** Whether something differs, and what replaces. */
export const differenceOf = (found: DiffResponse): DiffAnswer => ({
  changes: found.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
  replaces: found.getReplacesList(),
});

/**
 * Runs Pulumi's dynamic provider host in a separate process, with our built
 * provider, and calls it as the engine does.
 */
export class DynamicHost extends ProviderHost implements Host {
  /**
   * Starts a host. The settings are those of the engine, such as
   * `devid:endpoint`.
   */
  static async start(settings?: Record<string, string>): Promise<DynamicHost> {
    const args = ["--require", MARK_WHEN_READ, HOST];
    const { child, client } = await startProvider(args, ROOT, QUICK_START);
    const host = new DynamicHost(child, client);
    if (settings) await host.configure(settings);
    return host;
  }

  async allOutput(): Promise<string> {
    this.child.kill("SIGUSR2");
    while (!this.stderr.includes(END_OF_OUTPUT))
      await once(this.child.stderr, "data");
    this.stderr = this.stderr.replace(END_OF_OUTPUT, "");
    return this.stderr;
  }

  async stop(): Promise<void> {
    this.client.close();
    const ended = once(this.child, "close");
    this.child.kill();
    await ended;
  }

  async configure(settings: Record<string, string>): Promise<void> {
    const request = new ConfigureRequest().setArgs(struct(settings));
    await this.answer((done) => this.client.configure(request, done));
  }

  protected typeOf(): string {
    return "";
  }

  protected sent(kind: string, properties: Properties): Properties {
    return withProvider(kind, properties);
  }

  protected received(properties: Struct | undefined): Properties {
    return own(properties);
  }

  protected override named(failure: { readonly property: string }): never {
    throw new Error(`A failure names ${failure.property}.`);
  }

  async diff(
    ...request: Parameters<ProviderHost["compared"]>
  ): Promise<DiffAnswer> {
    return differenceOf(await this.compared(...request));
  }
}

function withProvider(kind: string, properties: Properties): Properties {
  const __provider = `exports.handler = () => require("@devid/pulumi/provider").${kind};`;
  return { ...properties, __provider };
}

/**
 * The properties of an answer, which must still contain the provider's text.
 */
function own(properties: Struct | undefined): Properties {
  if (!properties) return {};
  const { __provider, ...rest } = properties.toJavaScript();
  if (typeof __provider !== "string")
    throw new Error("The host answered without the provider's text.");
  return rest;
}

/** Properties as the engine sends them. */
export const struct = (properties: Properties) =>
  Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);

/** Reads the properties of an answer. */
type Read = (properties: Struct | undefined) => Properties;

/**
 * The function that sends a call and waits for its answer. It throws a `HostError`, whose
 * properties `read` returns.
 */
export const answerWith =
  (read: Read) =>
  <A>(
    send: (done: (error: ServiceError | null, answer: A) => void) => unknown,
  ): Promise<A> =>
    new Promise((resolve, reject) => {
      send((error, value) =>
        error
          ? reject(new HostError(error.details, keptIn(error.metadata, read)))
          : resolve(value),
      );
    });

/** The object that exists although a call failed, as the metadata of the error has it. */
export function keptIn<P>(
  metadata: Metadata,
  read: (properties: Struct | undefined) => P,
) {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(packed)) return undefined;
  const failed = Status.deserializeBinary(packed)
    .getDetailsList()[0]
    ?.unpack(
      (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
      "pulumirpc.ErrorResourceInitFailed",
    );
  if (!failed) return undefined;
  return {
    id: failed.getId(),
    properties: read(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}
