import type { ServiceOptions, startService } from "@devid/service";
import { Command, InvalidArgumentError, Option } from "commander";
import { wholeNumberFlag } from "../flags/flag-values";

/** Flags of `devid serve` as commander answers them. */
interface Flags {
  port: number;
  host: string;
  data: string;
  readyFile?: string;
  rateLimit: number | "off";
  limits: "off" | "documented";
  mutableAfterMs: number;
  keys?: string;
  log: NonNullable<ServiceOptions["logLevel"]>;
  json?: boolean;
  showSecrets?: boolean;
}

/** `devid serve`: the local service, until SIGINT or SIGTERM. */
export function serve(): Command {
  return new Command("serve")
    .description("run the local service until it is interrupted")
    .option(
      "--port <port>",
      "port to listen on; 0 picks a free one",
      wholeNumberFlag,
      8787,
    )
    .option(
      "--host <host>",
      "address to listen on; other than loopback only with --keys",
      "127.0.0.1",
    )
    .option(
      "--data <file>",
      "SQLite file that keeps everything, or :memory:",
      ":memory:",
    )
    .option(
      "--ready-file <file>",
      "write URL, keys and environments here once it answers",
    )
    .option(
      "--rate-limit <n>",
      "requests a second for each key and surface, or off",
      rate,
      5,
    )
    .addOption(
      new Option("--limits <which>", "account limits in force")
        .choices(["off", "documented"])
        .default("off"),
    )
    .option(
      "--mutable-after-ms <ms>",
      "how long a new event cannot be changed",
      wholeNumberFlag,
      2000,
    )
    .option(
      "--keys <file>",
      "JSON file with keys in place of the development keys",
    )
    .addOption(
      new Option("--log <level>", "what to log on standard error")
        .choices(["silent", "error", "warn", "info", "debug"])
        .default("warn"),
    )
    .option(
      "--json",
      "print one line of JSON on standard output once it answers",
    )
    .option(
      "--show-secrets",
      "print the keys of the keys file in full instead of [redacted]",
    )
    .action(async ({ json, log, showSecrets, ...flags }: Flags) => {
      // Loaded here: no other command needs the service.
      const { startService } = await import("@devid/service");
      const stopped = new Promise<void>((resolve) => {
        process.once("SIGINT", () => resolve());
        process.once("SIGTERM", () => resolve());
      });
      const service = await startService({ ...flags, logLevel: log });
      const { url, workspaces } = service;
      const isSecret = flags.keys !== undefined && !showSecrets;
      process.stdout.write(
        json
          ? `${JSON.stringify({ url, workspaces: isSecret ? withoutSecrets(workspaces) : workspaces })}\n`
          : readyText(url, workspaces, isSecret),
      );
      await stopped;
      await service.close();
    });
}

type Workspaces = Awaited<ReturnType<typeof startService>>["workspaces"];

/** The workspaces without the keys of the keys file; a public key is no secret. */
function withoutSecrets(workspaces: Workspaces) {
  return Object.fromEntries(
    Object.entries(workspaces).map(([region, workspace]) => [
      region,
      { ...workspace, managementKey: "[redacted]", secretKey: "[redacted]" },
    ]),
  );
}

function readyText(
  url: string,
  workspaces: Workspaces,
  isSecret: boolean,
): string {
  const rows = Object.entries(workspaces).map(
    ([region, { managementKey, environment }]) =>
      `  ${region}  ${isSecret ? "(key of the keys file)" : managementKey.padEnd(20)}  ${environment}\n`,
  );
  return (
    `The local service answers at ${url}; Ctrl-C stops it.\n\n` +
    `      management key        default environment\n${rows.join("")}\n` +
    `Point devid at it with\n  DEVID_ENDPOINT=${url}\n  DEVID_MANAGEMENT_KEY=${isSecret ? "(key of the keys file)" : workspaces.us?.managementKey}\n`
  );
}

function rate(text: string): number | "off" {
  if (text === "off") return "off";
  const n = Number(text);
  if (n > 0 && Number.isFinite(n)) return n;
  throw new InvalidArgumentError("It must be a number above 0, or off.");
}
