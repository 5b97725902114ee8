import { randomBytes } from "node:crypto";
import type { KeysFile } from "@devid/service";

/**
 * Makes a keys file with random keys. No two calls give the same key, so a test
 * can search output for it.
 */
export function randomKeys(): KeysFile {
  const key = (name: string) => `${name}-${randomBytes(18).toString("hex")}`;
  const keysOf = (region: string) => ({
    managementKey: key(`${region}-management`),
    secretKey: key(`${region}-secret`),
    publicKey: key(`${region}-public`),
  });
  return {
    workspaces: { us: keysOf("us"), eu: keysOf("eu"), ap: keysOf("ap") },
    controlKey: key("control"),
  };
}
