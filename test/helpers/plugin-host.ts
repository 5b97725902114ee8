import { once } from "node:events";
import path from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  revealed,
  secretValue as secret,
  UNKNOWN_TEXT,
} from "../simulation/engine/property-value";
import {
  answerWith,
  differenceOf,
  ProviderHost,
  startProvider,
  struct,
  type DiffAnswer,
  type Properties,
} from "./dynamic-host";

/** The engine's own form of values. */
export { revealed, secret, UNKNOWN_TEXT };

/** The plugin's answer to Diff. */
export interface DetailedDiffAnswer extends DiffAnswer {
  /** The kind of the change of each property, such as `update` or `add_replace`, by its path. */
  readonly properties: Readonly<Record<string, string>>;
  readonly deleteBeforeReplace: boolean;
}

const PROVIDER = path.resolve(__dirname, "../../provider");
const START = `require("./dist/adapters/plugin/run-plugin.js").runPlugin((name) => require("node:fs").readFileSync(name, "utf8"))`;

/** Runs the built provider plugin in a separate process, and calls it as the engine does. */
export class PluginHost extends ProviderHost {
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
    if (settings) await host.configure(settings);
    return host;
  }

  /** Closes standard input, as the engine does, and waits until the plugin has ended. */
  async stop(): Promise<void> {
    this.client.close();
    const ended = once(this.child, "close");
    this.child.stdin.end();
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

  protected typeOf(kind: string): string {
    return `devid:index:${kind}`;
  }

  protected sent(_kind: string, properties: Properties): Properties {
    return properties;
  }

  protected received(properties: Struct | undefined): Properties {
    return plain(properties);
  }

  async diff(
    ...request: Parameters<ProviderHost["compared"]>
  ): Promise<DetailedDiffAnswer> {
    return detailed(await this.compared(...request));
  }

  async invoke(
    name: string,
    args: Properties = {},
  ): Promise<{ result: Properties; failures: Properties[] }> {
    const request = new proto.InvokeRequest()
      .setTok(this.typeOf(name))
      .setArgs(struct(args));
    const found = await answer<proto.InvokeResponse>((done) =>
      this.client.invoke(request, done),
    );
    return {
      result: plain(found.getReturn()),
      failures: found.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async cancel(): Promise<void> {
    await answer((done) => this.client.cancel(new Empty(), done));
  }
}

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
    ...differenceOf(found),
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
