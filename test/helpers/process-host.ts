import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Properties } from "../simulation/engine/property-value";
import type { Form } from "./program-form";
import { ProtocolProvider } from "./protocol-provider";
import { ProviderHost } from "./provider-host";
import { UNTHROTTLED } from "./unthrottled";

/** A provider in a process of its own, called as the engine calls it. */
export abstract class ProcessHost extends ProviderHost {
  protected readonly provider = new ProtocolProvider((call, request, done) =>
    (this.client[call] as (...given: unknown[]) => unknown).call(
      this.client,
      ...[request, done],
    ),
  );
  protected readonly child: ChildProcessWithoutNullStreams;
  readonly client: ResourceProviderClient;

  protected constructor(
    form: Form,
    { child, client }: Awaited<ReturnType<typeof ProcessHost.startProcess>>,
  ) {
    super(form);
    this.child = child;
    this.client = client;
    child.stderr.on("data", (text: Buffer) => (this.stderr += text.toString()));
  }

  /** Starts a provider as the engine does. */
  protected static async startProcess(
    args: readonly string[],
    cwd: string,
    settings: Readonly<Record<string, string>> = {},
  ) {
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
    const command = [...args, "127.0.0.1:9"];
    const child = spawn(process.execPath, command, { cwd, env });
    const lines = createInterface({ input: child.stdout });
    const [port] = (await once(lines, "line")) as [string];
    const client = new ResourceProviderClient(
      `127.0.0.1:${port}`,
      credentials.createInsecure(),
    );
    return { child, client };
  }

  configure(settings: Properties, name?: string): Promise<void> {
    return this.provider.configure(settings, name);
  }

  /** Ends the process as the engine does: it closes standard input, or kills a host that does not read it. */
  async stop(): Promise<void> {
    this.client.close();
    const ended = once(this.child, "close");
    this.end();
    await ended;
  }

  protected end(): void {
    this.child.kill();
  }
}
