import { Command } from "commander";
import { makeDemoFolder } from "./demo-folder";
import { startDemoService } from "./demo-service";
import { pulumiStack } from "./pulumi-stack";
import { target } from "./target";

/** Runs a command of the demo stack: up, preview, refresh, destroy, state, serve. */
export async function main(argv: readonly string[]): Promise<void> {
  makeDemoFolder();
  const program = new Command("demo").description("The demo stack");
  const onStack = (name: string, args: readonly string[], next?: Next) =>
    program
      .command(name)
      .option("-y, --yes", "do not ask before working on a service of your own")
      .action(async ({ yes = false }: { yes?: boolean }) => {
        process.exitCode = await runOnStack([name, ...args], yes, next);
      });
  onStack("up", ["--yes"], whatNow);
  onStack("preview", ["--diff"]);
  onStack("refresh", ["--yes"]);
  onStack("destroy", ["--yes"]);
  program.command("state").action(async () => {
    process.exitCode = await (await pulumiStack({})).run(["stack", "export"]);
  });
  program.command("serve").action(serve);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

type Next = (isLocalService: boolean) => string;

async function runOnStack(
  args: readonly string[],
  yes: boolean,
  next?: Next,
): Promise<number> {
  const on = await target(yes);
  if (!on) return 1;
  try {
    const stack = await pulumiStack(on.settings);
    const code = await stack.run(args);
    if (code === 0 && next) process.stdout.write(next(on.isLocalService));
    return code;
  } finally {
    await on.close();
  }
}

function whatNow(isLocalService: boolean): string {
  const where = isLocalService ? "On the local service" : "In your workspace";
  return (
    `\n${where} now: an environment, 2 API keys, a webhook, a key, 3 rules.\n` +
    `Change a rule in examples/quickstart/rules.yaml, then: npm run preview\n` +
    `Look at the state: npm run -s state. Take it all away: npm run destroy\n`
  );
}

async function serve(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  const service = await startDemoService();
  const { managementKey } = service.workspaces.us;
  process.stdout.write(
    `The demo's local service answers at ${service.url} until Ctrl-C.\n` +
      `npm run up and the other commands use it. Look around with\n` +
      `  DEVID_ENDPOINT=${service.url} \\\n` +
      `  DEVID_MANAGEMENT_KEY=${managementKey} npx devid whoami\n`,
  );
  await stopped;
  await service.close();
}
