import { parseUrl } from "@devid/sdk/errors";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { isLoopback } from "@devid/sdk";
import type { Demo } from "./demo-folder";
import { demoService } from "./demo-service";

/** The service that a command works on. */
export interface Target {
  /**
   * Variables that point the program at the local service; empty if the user's
   * own settings choose the service.
   */
  readonly settings: NodeJS.ProcessEnv;
  readonly isLocalService: boolean;
  close(): Promise<void>;
}

/**
 * Chooses the local service, unless the environment or stack config names
 * another. Before a command uses a service outside this machine, it asks the
 * user; `--yes` answers in advance. Returns `undefined` if the answer is no.
 */
export async function target(
  { stackConfig }: Demo,
  yes: boolean,
): Promise<Target | undefined> {
  const own = [...ofEnvironment(), ...ofStackConfig(stackConfig)];
  if (own.length > 0) {
    const isHere = own.some((p) => p.address) && own.every(staysHere);
    const allowed = yes || isHere || (await confirmed(own));
    const close = () => Promise.resolve();
    return allowed ? { settings: {}, isLocalService: false, close } : undefined;
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

/** A setting of the user that chooses a service. */
interface Pointer {
  readonly name: string;
  /** The address, if the setting is an address and not a key. */
  readonly address?: string;
}

function ofEnvironment(): Pointer[] {
  const pattern =
    /^DEVID_(?:(ENDPOINT|(?:MANAGEMENT|EVENTS|DRN)_URL)|MANAGEMENT_KEY(?:_US|_EU|_AP)?)$/;
  return Object.entries(process.env).flatMap(([name, value]) => {
    const [found, isAddress] = pattern.exec(name) ?? [];
    if (!found || !value) return [];
    return [{ name, address: isAddress ? value : undefined }];
  });
}

function ofStackConfig(file: string): Pointer[] {
  if (!existsSync(file)) return [];
  const pattern =
    /^ +(devid:(?:(endpoint|managementUrl|eventsUrl|drnUrl)|managementKey)):(.*)$/gm;
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(pattern)].map(([, name = "", isAddress, value]) => ({
    name: `stack config ${name}`,
    address: isAddress ? value?.trim() : undefined,
  }));
}

const staysHere = ({ address }: Pointer) =>
  address === undefined || isLoopback(parseUrl(address)?.hostname ?? "");

async function confirmed(own: readonly Pointer[]): Promise<boolean> {
  const names = own.map(({ name }) => name).join(", ");
  const [are, them] = own.length === 1 ? ["is", "it"] : ["are", "them"];
  const question = `${names} ${are} set: this works on that workspace, not on the local service.`;
  if (!process.stdin.isTTY) {
    process.stderr.write(
      `${question}\nNobody can be asked here; add --yes (npm run up -- --yes) if that is meant, or unset ${them}.\n`,
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
