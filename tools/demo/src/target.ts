import { createInterface } from "node:readline/promises";
import { demoService } from "./demo-service";

/** Settings of the environment that point a command at a service of the user's own. */
const POINTERS =
  /^DEVID_(ENDPOINT|(MANAGEMENT|EVENTS|DRN)_URL|MANAGEMENT_KEY(_US|_EU|_AP)?)$/;

/** What a command works on. */
export interface Target {
  /** Variables that point the program at it; none where the user's own do. */
  readonly settings: NodeJS.ProcessEnv;
  readonly isLocalService: boolean;
  close(): Promise<void>;
}

/**
 * The local service, unless the environment names another: that is asked for,
 * or given with --yes. `undefined` when the answer was no.
 */
export async function target(yes: boolean): Promise<Target | undefined> {
  const own = Object.keys(process.env).filter(
    (name) => POINTERS.test(name) && process.env[name],
  );
  if (own.length > 0) {
    if (!yes && !(await confirmed(own))) return undefined;
    const close = () => Promise.resolve();
    return { settings: {}, isLocalService: false, close };
  }
  const service = await demoService();
  return {
    settings: {
      DEVID_ENDPOINT: service.url,
      DEVID_MANAGEMENT_KEY: service.managementKey,
    },
    isLocalService: true,
    close: () => service.close(),
  };
}

async function confirmed(own: readonly string[]): Promise<boolean> {
  const question = `${own.join(", ")} ${own.length === 1 ? "is" : "are"} set: this will work on that workspace, not on the local service.`;
  if (!process.stdin.isTTY) {
    process.stderr.write(
      `${question}\nNobody can be asked here; add --yes (npm run up -- --yes) if that is meant, or unset ${own.length === 1 ? "it" : "them"}.\n`,
    );
    return false;
  }
  const terminal = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  const answer = await terminal.question(`${question} Continue? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
