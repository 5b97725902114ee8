import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  answerWith,
  hostError,
  startProvider,
  struct,
  type CheckAnswer,
  type DiffAnswer,
  type Properties,
  type StateAnswer,
} from "./dynamic-host";

/** The plugin's answer to Diff. */
export interface DetailedDiffAnswer extends DiffAnswer {
  /** The kind of the change of each property, such as `update` or `add_replace`, by its path. */
  readonly properties: Readonly<Record<string, string>>;
  readonly deleteBeforeReplace: boolean;
}

const PROVIDER = path.resolve(__dirname, "../../provider");
const START = `require("./dist/adapters/plugin/run-plugin.js").runPlugin((name) => require("node:fs").readFileSync(name, "utf8"))`;

/** How the engine writes a secret and an unknown value. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A value as a secret, as the engine writes it. */
export const secret = (value: unknown) => ({ [SIGNATURE]: SECRET, value });

/** A value in which each secret is replaced by its content. */
export function revealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== "object" || value === null) return value;
  const members = value as Properties;
  if (members[SIGNATURE] === SECRET) return revealed(members.value);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, revealed(member)]),
  );
}

/** Runs the built provider plugin in a separate process, and calls it as the engine does. */
export class PluginHost {
  /** Everything that the plugin has written to standard error. */
  stderr = "";
  /** The URN of the next requests about a resource. */
  urn = "";

  private constructor(
    private readonly plugin: ChildProcessWithoutNullStreams,
    readonly client: ResourceProviderClient,
  ) {}

  /**
   * Starts a plugin. The settings are those of its provider, such as `endpoint`.
   * Without a launcher, the compiled code runs.
   */
  static async start(
    settings?: Properties,
    launcher: readonly string[] = ["-e", START, "--"],
  ): Promise<PluginHost> {
    const { child, client } = await startProvider(launcher, PROVIDER);
    const host = new PluginHost(child, client);
    child.stderr.on("data", (text: Buffer) => (host.stderr += text.toString()));
    if (settings) await host.configure(settings);
    return host;
  }

  /** Closes standard input, as the engine does, and waits until the plugin has ended. */
  async stop(): Promise<void> {
    this.client.close();
    const ended = once(this.plugin, "close");
    this.plugin.stdin.end();
    await ended;
  }

  async configure(settings: Properties, name = "default"): Promise<void> {
    const request = new proto.ConfigureRequest()
      .setArgs(struct(settings))
      .setName(name)
      .setAcceptsecrets(true)
      .setAcceptresources(true);
    await answer((done) => this.client.configure(request, done));
  }

  /**
   * `olds` are the inputs in the state. Left out for a new object and for a
   * replacement.
   */
  async check(
    kind: string,
    news: Properties,
    olds: Properties = {},
  ): Promise<CheckAnswer> {
    const request = new proto.CheckRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setOlds(struct(olds))
      .setNews(struct(news));
    const checked = await answer<proto.CheckResponse>((done) =>
      this.client.check(request, done),
    );
    return {
      inputs: plain(checked.getInputs()),
      failures: checked.getFailuresList().map((failure) => {
        if (failure.getProperty() !== "")
          return {
            property: failure.getProperty(),
            reason: failure.getReason(),
          };
        const [, property = "", reason = failure.getReason()] =
          /^([\w[\]."'-]+): (.*)$/s.exec(failure.getReason()) ?? [];
        return { property, reason };
      }),
    };
  }

  async diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    ignoreChanges: string[] = [],
  ): Promise<DetailedDiffAnswer> {
    const request = new proto.DiffRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setId(id)
      .setOlds(struct(olds))
      .setNews(struct(news))
      .setIgnorechangesList(ignoreChanges);
    const found = await answer<proto.DiffResponse>((done) =>
      this.client.diff(request, done),
    );
    return detailed(found);
  }

  /** With `preview`, nothing is created, and unknown outputs are `UNKNOWN_TEXT`. */
  async create(
    kind: string,
    inputs: Properties,
    preview = false,
    timeoutSeconds = 0,
  ): Promise<StateAnswer> {
    const request = new proto.CreateRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setProperties(struct(inputs))
      .setTimeout(timeoutSeconds)
      .setPreview(preview);
    const made = await answer<proto.CreateResponse>((done) =>
      this.client.create(request, done),
    );
    return { id: made.getId(), properties: plain(made.getProperties()) };
  }

  async read(
    kind: string,
    id: string,
    state: Properties = {},
  ): Promise<StateAnswer & { readonly inputs: Properties }> {
    const request = new proto.ReadRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setId(id)
      .setProperties(struct(state));
    const found = await answer<proto.ReadResponse>((done) =>
      this.client.read(request, done),
    );
    return {
      id: found.getId(),
      properties: plain(found.getProperties()),
      inputs: plain(found.getInputs()),
    };
  }

  async update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    preview = false,
  ): Promise<Properties> {
    const request = new proto.UpdateRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setId(id)
      .setOlds(struct(olds))
      .setNews(struct(news))
      .setPreview(preview);
    const updated = await answer<proto.UpdateResponse>((done) =>
      this.client.update(request, done),
    );
    return plain(updated.getProperties());
  }

  async delete(kind: string, id: string, state: Properties): Promise<void> {
    const request = new proto.DeleteRequest()
      .setType(typeOf(kind))
      .setUrn(this.urn)
      .setId(id)
      .setProperties(struct(state));
    await answer((done) => this.client.delete(request, done));
  }

  async invoke(
    name: string,
    args: Properties = {},
  ): Promise<{ result: Properties; failures: Properties[] }> {
    const request = new proto.InvokeRequest()
      .setTok(typeOf(name))
      .setArgs(struct(args));
    const found = await answer<proto.InvokeResponse>((done) =>
      this.client.invoke(request, done),
    );
    return {
      result: plain(found.getReturn()),
      failures: found.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  /** One page of a list, and the token of the next page. */
  async list(
    kind: string,
    query: Properties = {},
    { limit = 0, pageSize = 0, continuation = "" } = {},
  ): Promise<{
    found: { id: string; name: string }[];
    next: string;
    computed: boolean;
  }> {
    const request = new proto.ListRequest()
      .setToken(typeOf(kind))
      .setQuery(struct(query))
      .setLimit(limit)
      .setPageSize(pageSize)
      .setContinuationToken(continuation);
    const page = { found: [] as { id: string; name: string }[], next: "" };
    let computed = false;
    const stream = this.client.list(request);
    try {
      for await (const part of stream as AsyncIterable<proto.ListResponse>) {
        const result = part.getResult();
        if (result)
          page.found.push({ id: result.getId(), name: result.getName() });
        page.next = part.getContinuation()?.getContinuationToken() ?? page.next;
        computed ||= part.hasComputed();
      }
    } catch (error) {
      throw hostError(error as ServiceError, plain);
    }
    return { ...page, computed };
  }

  async cancel(): Promise<void> {
    await answer((done) => this.client.cancel(new Empty(), done));
  }
}

const typeOf = (kind: string) => `devid:index:${kind}`;

/** Properties as the engine receives them. */
export const plain = (properties: Struct | undefined): Properties =>
  properties?.toJavaScript() ?? {};

/** The differences in plain values. */
export function detailed(found: proto.DiffResponse): DetailedDiffAnswer {
  const names = Object.entries(proto.PropertyDiff.Kind);
  const nameOf = (kind: proto.PropertyDiff.Kind) =>
    names.find(([, value]) => value === kind)?.[0].toLowerCase() ?? "";
  const properties = found
    .getDetaileddiffMap()
    .getEntryList()
    .map(([path]) => path);
  return {
    changes: found.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: found.getReplacesList(),
    properties: Object.fromEntries(
      properties.map((path) => [
        path,
        nameOf(found.getDetaileddiffMap().get(path)?.getKind() ?? 0),
      ]),
    ),
    deleteBeforeReplace: found.getDeletebeforereplace(),
  };
}

/** Sends a call, and waits for its answer. Throws a `HostError`. */
export const answer = answerWith(plain);
