import { Command } from "commander";
import { FILES, makeDemoFolder } from "./demo-folder";
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

type Next = (url: string | undefined) => string;

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
    if (code === 0 && next) process.stdout.write(next(on.url));
    return code;
  } finally {
    await on.close();
  }
}

function whatNow(url: string | undefined): string {
  const where = url ? `the local service (kept in .devid/)` : "your workspace";
  return (
    `\nAn environment with two API keys, a webhook, an encryption key and three rules now exist on ${where}.\n` +
    `Change examples/quickstart/rules.yaml and look at what would change: npm run preview\n` +
    `See the state (npm run state), keep the service up (npm run serve), or take it all away: npm run destroy\n`
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
    `The demo's local service answers at ${service.url} until Ctrl-C; npm run up uses it.\n` +
      `Look around: DEVID_ENDPOINT=${service.url} DEVID_MANAGEMENT_KEY=${managementKey} npx devid whoami\n` +
      `Its data is ${FILES.data}.\n`,
  );
  await stopped;
  await service.close();
}
