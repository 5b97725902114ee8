import { Argument, Command } from "commander";
import { DEMOS, makeDemoFolder, type DemoName } from "./demo-folder";
import { startDemoService } from "./demo-service";
import { postVisits } from "./post-visits";
import { pulumiStack } from "./pulumi-stack";
import { runShop, stopped } from "./run-shop";
import { target } from "./target";

/**
 * Runs a demo command: `up`, `preview`, `refresh`, `destroy`, `state` or `cancel` on a
 * stack, or `serve` or `shop`.
 */
export async function main(argv: readonly string[]): Promise<void> {
  makeDemoFolder();
  const program = new Command("demo").description("The demo stacks");
  const which = new Argument("[example]", "which example's stack")
    .choices(Object.keys(DEMOS))
    .default("quickstart");
  const onStack = (name: string, args: readonly string[], next?: Next) =>
    program
      .command(name)
      .addArgument(which)
      .option("-y, --yes", "do not ask before working on a service of your own")
      .action(async (demo: DemoName, { yes = false }: { yes?: boolean }) => {
        process.exitCode = await runOnStack(demo, [name, ...args], yes, next);
      });
  onStack("up", ["--yes"], whatNow);
  onStack("preview", ["--diff"]);
  onStack("refresh", ["--yes"]);
  // `--remove` also removes the stack. Without it, the engine asks the user to run
  // another command.
  onStack("destroy", ["--yes", "--remove"]);
  const onState = (name: string, args: readonly string[]) =>
    program
      .command(name)
      .addArgument(which)
      .action(async (demo: DemoName) => {
        const stack = await pulumiStack(DEMOS[demo], {});
        process.exitCode = await stack.run(args);
      });
  onState("state", ["stack", "export"]);
  onState("cancel", ["cancel", "--yes"]);
  program.command("serve").action(serve);
  program.command("shop").action(async () => {
    process.exitCode = await runShop();
  });
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

type Next = (demo: DemoName, isLocalService: boolean) => string;

async function runOnStack(
  name: DemoName,
  args: readonly string[],
  yes: boolean,
  next?: Next,
): Promise<number> {
  const demo = DEMOS[name];
  const on = await target(demo, yes);
  if (!on) return 1;
  try {
    const stack = await pulumiStack(demo, on.settings);
    const code = await stack.run(args);
    if (code === 0 && next) process.stdout.write(next(name, on.isLocalService));
    return code;
  } finally {
    await on.close();
  }
}

function whatNow(name: DemoName, isLocalService: boolean): string {
  const where = isLocalService ? "On the local service" : "In your workspace";
  switch (name) {
    case "quickstart":
      return (
        `\n${where} now: an environment, 2 API keys, a webhook, an encryption key\n` +
        `and the rules of examples/quickstart/rules.yaml.\n` +
        (isLocalService ? `See them in a browser: npm run serve\n` : "") +
        `Change a rule in examples/quickstart/rules.yaml, then: npm run preview\n` +
        `Look at the state: npm run -s state. Take it all away: npm run destroy\n`
      );
    case "shop":
      return (
        `\n${where} now: what the shop needs. Open it: npm run shop\n` +
        `Take it all away: npm run destroy shop\n`
      );
  }
}

async function serve(): Promise<void> {
  const service = await startDemoService();
  await postVisits(service);
  const { managementKey } = service.workspaces.us;
  process.stdout.write(
    `The demo's local service answers at ${service.url} until Ctrl-C.\n` +
      `Its console is at that address, too: open it in a browser.\n` +
      `npm run up and the other commands use it. Look around with\n` +
      `  DEVID_ENDPOINT=${service.url} \\\n` +
      `  DEVID_MANAGEMENT_KEY=${managementKey} npx --no devid whoami\n`,
  );
  await stopped();
  await service.close();
}
