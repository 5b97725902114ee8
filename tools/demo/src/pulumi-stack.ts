import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import {
  engineEnvironment,
  findEngine,
  prepareEngineHome,
} from "@devid/engine";
import { FILES, type Demo } from "./demo-folder";

/** A demo's stack on a real engine, its state in the demo's folder. */
export interface PulumiStack {
  /** Runs a pulumi command on the stack with the terminal as it is; answers its exit code. */
  run(args: readonly string[]): Promise<number>;
  /** The outputs of its last update as JSON, secrets in plain text. */
  outputs(): Promise<string>;
}

/** Finds the engine and opens the stack, making it when it is not there. */
export async function pulumiStack(
  { folder, stack }: Demo,
  settings: NodeJS.ProcessEnv,
): Promise<PulumiStack> {
  const engine = await findEngine();
  const home = await prepareEngineHome(FILES.engine);
  const env = {
    ...process.env,
    ...engineEnvironment({
      ...home,
      enginePath: engine.path,
      color: process.stdout.isTTY,
    }),
    // `npm run` has built the program, and so has checked its types.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...settings,
  };
  const pulumi = async (args: readonly string[], stdio: StdioOptions) => {
    const child = spawn(engine.path, [...args, "--stack", stack], {
      cwd: folder,
      env,
      stdio,
    });
    const [stdout, stderr, [code]] = await Promise.all([
      child.stdout ? text(child.stdout) : "",
      child.stderr ? text(child.stderr) : "",
      once(child, "close") as Promise<[number | null]>,
    ]);
    return { code: code ?? 1, stdout, stderr };
  };
  const quietly = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await pulumi(args, "pipe");
    if (code === 0) return stdout;
    throw new Error(`pulumi ${args.join(" ")} failed: ${stderr}`);
  };
  await quietly(["stack", "select", "--create", "--non-interactive"]);
  return {
    run: async (args) => (await pulumi(args, "inherit")).code,
    outputs: () => quietly(["stack", "output", "--json", "--show-secrets"]),
  };
}
