import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import {
  credentials,
  type handleUnaryCall,
  Server,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import {
  LanguageHandshakeResponse,
  type LanguageHandshakeRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { ChildProcesses } from "../../tools/engine/src/language-host/child-processes.js";
import { languageRuntime } from "../../tools/engine/src/language-host/language-runtime.js";
import {
  listen,
  MESSAGE_LIMITS,
} from "../../tools/engine/src/language-host/answer.js";

/**
 * The Node.js language host, in this process, for one run of the engine. The engine
 * would start a process of the host twice in each run, which takes 0.4 s of processor
 * time.
 */
export class LanguageHostHere {
  private constructor(
    private readonly server: Server,
    private readonly programs: ProgramProcesses,
    private readonly port: number,
  ) {}

  /** @param env the variables of the engine, which its programs get */
  static async start(env: NodeJS.ProcessEnv): Promise<LanguageHostHere> {
    const programs = new ProgramProcesses(env);
    const server = new Server(MESSAGE_LIMITS);
    server.addService(LanguageRuntimeService, calls(programs));
    const port = await listen(server);
    return new LanguageHostHere(server, programs, port);
  }

  /** The variable that makes the engine use this host. */
  get settings(): Record<string, string> {
    return { PULUMI_DEBUG_LANGUAGES: `nodejs:${this.port}` };
  }

  async close(): Promise<void> {
    this.server.forceShutdown();
    await this.programs.endAll();
  }
}

/**
 * The calls of the language host. The engine connects once to ask for the version of
 * Node.js, and once to run the program. It says its address on each connection.
 */
function calls(programs: ProgramProcesses): UntypedServiceImplementation {
  const engines = new Map<string, string>();
  const handshake: handleUnaryCall<
    LanguageHandshakeRequest,
    LanguageHandshakeResponse
  > = (call, done) => {
    engines.set(call.getPeer(), call.request.getEngineAddress());
    done(null, new LanguageHandshakeResponse());
  };
  const run: handleUnaryCall<unknown, unknown> = (call, done) => {
    const address = engines.get(call.getPeer()) ?? "";
    programs.engine = new EngineClient(address, credentials.createInsecure());
    const { run } = languageRuntime(address, programs);
    (run as handleUnaryCall<unknown, unknown>)(call, done);
  };
  return { ...languageRuntime("", programs), handshake, run };
}

/** Starts processes with the variables of the engine, which shows what programs print. */
class ProgramProcesses extends ChildProcesses {
  engine: EngineClient | undefined;

  constructor(private readonly env: NodeJS.ProcessEnv) {
    super();
  }

  override start(
    ...[command, args, options]: Parameters<ChildProcesses["start"]>
  ): ReturnType<ChildProcesses["start"]> {
    const set = Object.entries(options.env ?? {}).filter(
      ([name, value]) => process.env[name] !== value,
    );
    const env = { ...this.env, ...Object.fromEntries(set) };
    const { engine } = this;
    if (!engine || !options.stdio?.includes("inherit"))
      return super.start(command, args, { ...options, env });
    const started = super.start(command, args, {
      ...options,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { stdout, stderr } = started.child;
    const shown = [stdout, stderr].map((output) => show(output, engine));
    const exit = started.exit.then(async (ended) => {
      await Promise.all(shown);
      engine.close();
      return ended;
    });
    return { ...started, exit };
  }
}

/** Sends what a program prints to the engine, line by line. */
async function show(output: Readable | null, engine: EngineClient) {
  for await (const line of createInterface({
    input: output ?? Readable.from([]),
  }))
    await new Promise((resolve) =>
      engine.log(
        new LogRequest().setSeverity(LogSeverity.INFO).setMessage(`${line}\n`),
        resolve,
      ),
    );
}
