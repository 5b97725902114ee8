import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import {
  engineEnvironment,
  findEngine,
  prepareEngineHome,
} from "@devid/engine";
import { FILES, type Demo } from "./demo-folder";

/** A demo's stack on a real engine, with its state in the demo's folder. */
export interface PulumiStack {
  /**
   * Runs a pulumi command on the stack in the user's terminal; returns its exit
   * code.
   */
  run(args: readonly string[]): Promise<number>;
  /** The stack's outputs as JSON, with secrets in plain text. */
  outputs(): Promise<string>;
}

/**
 * Finds the engine and opens the stack; creates the stack if it does not exist.
 */
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
    // `npm run` has already built the program, which also checked its types.
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
