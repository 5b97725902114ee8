import { once } from "node:events";
import { isLoopback } from "@devid/sdk/wire";
import { startService, type Service } from "@devid/service";
import { InvalidArgumentError } from "commander";
import {
  choiceFlag,
  defineCommand,
  parsedFlag,
  textFlag,
} from "../flags/define-command";
import { wholeNumberFlag } from "../flags/flag-values";
import { jsonFlag, showSecretsFlag } from "../flags/shared-flags";
import { cleaningUp, interruptible } from "../interruption";

/**
 * Replaces a key of the user's keys file in the output. The development keys are
 * shown, because they are not secret.
 */
const REDACTED = "[redacted]";

const PLAIN_HTTP =
  "warning: The service speaks plain HTTP, and other machines can reach it: anybody on the way can read the keys. Put a proxy that ends TLS in front of it, and let no other machine reach it directly.\n";

/** `devid serve`: runs the local service until one of END_SIGNALS. */
export const serve = defineCommand({
  flags: {
    port: parsedFlag(
      "<port> port to listen on; 0 picks a free one",
      wholeNumberFlag(0),
    ).or(8787),
    host: textFlag(
      "<host> address to listen on; other than loopback only with --keys",
    ).or("127.0.0.1"),
    surfaces: choiceFlag(
      "<how> separate: ports of their own for the management API, each region and device reputation, with paths as in production",
      ["together", "separate"],
    ).or("together"),
    data: textFlag("<file> SQLite file that keeps everything, or :memory:").or(
      ":memory:",
    ),
    readyFile: textFlag(
      "<file> write URL, keys and environments here once it answers",
    ),
    rateLimit: parsedFlag(
      "<n> requests a second for each key and surface, or off",
      rate,
    ).or(5),
    limits: choiceFlag("<which> account limits to enforce", [
      "off",
      "documented",
    ]).or("off"),
    mutableAfterMs: parsedFlag(
      "<ms> how long a new event cannot be changed",
      wholeNumberFlag(0),
    ).or(2000),
    keys: textFlag(
      "<file> JSON file with keys in place of the development keys",
    ),
    log: choiceFlag("<level> what to log on standard error", [
      "silent",
      "error",
      "warn",
      "info",
      "debug",
    ]).or("warn"),
    json: jsonFlag(
      "print one line of JSON once it answers; errors are JSON, too",
    ),
    showSecrets: showSecretsFlag,
  },
  run: ({ json, log, showSecrets, ...flags }) =>
    interruptible(async (signal) => {
      const service = await startService({ ...flags, logLevel: log });
      if (!isLoopback(flags.host)) process.stderr.write(PLAIN_HTTP);
      const { url, surfaces } = service;
      const workspaces =
        flags.keys === undefined || showSecrets
          ? service.workspaces
          : withoutSecrets(service.workspaces);
      await cleaningUp(
        async () => {
          process.stdout.write(
            json
              ? `${JSON.stringify({ url, surfaces, workspaces })}\n`
              : readyText(service, workspaces),
          );
          if (!signal.aborted) await once(signal, "abort");
        },
        // Removes the ready file before it waits for anything.
        () => void service.close(),
      );
      await service.close();
    }),
});

type Workspaces = Service["workspaces"];

/** Redacts the secret keys of the keys file. Public keys are shown. */
const withoutSecrets = (workspaces: Workspaces) =>
  Object.fromEntries(
    Object.entries(workspaces).map(([region, workspace]) => [
      region,
      { ...workspace, managementKey: REDACTED, secretKey: REDACTED },
    ]),
  ) as unknown as Workspaces;

function readyText({ url, surfaces }: Service, workspaces: Workspaces): string {
  const own = Object.entries(surfaces ?? {}).map(
    ([name, origin]) => `  ${name.padEnd(10)}  ${origin}\n`,
  );
  const rows = Object.entries(workspaces).map(
    ([region, { managementKey, environment }]) =>
      `  ${region}  ${managementKey.padEnd(20)}  ${environment}\n`,
  );
  return (
    `The local service answers at ${url}; Ctrl-C stops it.\n\n` +
    (own.length > 0 ? `Each at the root of a port:\n${own.join("")}\n` : "") +
    `      management key        default environment\n${rows.join("")}\n` +
    `Point devid at it with\n  DEVID_ENDPOINT=${url}\n  DEVID_MANAGEMENT_KEY=${workspaces.us.managementKey}\n`
  );
}

function rate(text: string): number | "off" {
  if (text === "off") return "off";
  const n = Number(text);
  if (n > 0 && Number.isFinite(n)) return n;
  throw new InvalidArgumentError("It must be a number above 0, or off.");
}
