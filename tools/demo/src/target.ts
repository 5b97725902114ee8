import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { isLoopback } from "@devid/sdk";
import type { Demo } from "./demo-folder";
import { demoService } from "./demo-service";

/** What a command works on. */
export interface Target {
  /** Variables that point the program at it; none where the user's own settings do. */
  readonly settings: NodeJS.ProcessEnv;
  readonly isLocalService: boolean;
  close(): Promise<void>;
}

/**
 * The local service, unless the environment or stack config points elsewhere:
 * a service beyond this machine is asked for, or given with --yes. `undefined`
 * when the answer was no.
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

/** A setting that points a command at a service of the user's own. */
interface Pointer {
  readonly name: string;
  /** The address, where it is one and not a key. */
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
  address === undefined ||
  (URL.canParse(address) && isLoopback(new URL(address).hostname));

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
