import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  engineEnvironment,
  findEngine,
  prepareEngineHome,
} from "@devid/engine";
import { FILES, ROOT } from "./demo-folder";

const STACK = "demo";

/** The demo stack on a real engine, its state in the demo's folder. */
export interface PulumiStack {
  /** Runs a pulumi command on the stack with the terminal as it is; answers its exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Finds the engine and opens the stack, making it when it is not there. */
export async function pulumiStack(
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
    ...settings,
  };
  const pulumi = async (args: readonly string[], quiet = false) => {
    const child = spawn(engine.path, args, {
      cwd: ROOT,
      env,
      stdio: quiet ? ["ignore", "ignore", "pipe"] : "inherit",
    });
    const said: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => said.push(chunk));
    const [code] = (await once(child, "exit")) as [number | null];
    if (quiet && code !== 0)
      throw new Error(
        `pulumi ${args.join(" ")} failed: ${Buffer.concat(said).toString()}`,
      );
    return code ?? 1;
  };
  await pulumi(
    ["stack", "select", "--create", STACK, "--non-interactive"],
    true,
  );
  return { run: (args) => pulumi([...args, "--stack", STACK]) };
}
