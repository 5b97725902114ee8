import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DEMOS } from "./demo-folder";
import { demoService } from "./demo-service";
import { pulumiStack } from "./pulumi-stack";

/**
 * Runs the example shop with the outputs of its stack, and the local service
 * next to it. Returns the exit code.
 */
export async function runShop(): Promise<number> {
  const { shop } = DEMOS;
  const service = await demoService();
  try {
    const stack = await pulumiStack(shop, {});
    const outputs = await stack.outputs();
    if (outputs.trim() === "{}")
      throw new Error("The shop has no keys yet: npm run up shop makes them.");
    process.stdout.write(`The service's console is at ${service.url}/.\n`);
    const child = spawn(process.execPath, [join(shop.folder, "server.mjs")], {
      env: { ...process.env, DEVID_ENDPOINT: service.url },
      stdio: ["pipe", "inherit", "inherit"],
    });
    // The outputs hold secrets. Other programs could read an argument or a
    // variable.
    // If the shop ends before it has read them, its exit code shows the failure.
    child.stdin.on("error", () => undefined).end(outputs);
    const ended = once(child, "exit") as Promise<[number | null]>;
    const byHand = await Promise.race([stopped().then(() => true), ended]);
    if (byHand === true) child.kill();
    const [code] = await ended;
    return byHand === true ? 0 : (code ?? 1);
  } finally {
    await service.close();
  }
}

/** Waits for Ctrl-C (SIGINT) or SIGTERM. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
