import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { EngineEnvironmentOptions } from "./engine-environment.js";

/**
 * Creates the folders and the passphrase of an isolated engine under one root.
 *
 * Existing files are kept, so that earlier stacks can be opened again.
 *
 * @returns the options of {@link engineEnvironment}.
 */
export async function prepareEngineHome(
  root: string,
): Promise<
  Pick<EngineEnvironmentOptions, "home" | "backendDir" | "passphraseFile">
> {
  const absolute = path.resolve(root);
  const home = path.join(absolute, "home");
  const backendDir = path.join(absolute, "state");
  const passphraseFile = path.join(absolute, "passphrase");
  await mkdir(home, { recursive: true });
  await mkdir(backendDir, { recursive: true });
  const passphrase = randomBytes(24).toString("base64url");
  try {
    await writeFile(passphraseFile, passphrase, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return { home, backendDir, passphraseFile };
}
