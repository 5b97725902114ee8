import { randomBytes } from "node:crypto";
import type { KeysFile } from "@devid/service";

/** The content of a keys file in which every key differs from those of other calls, so that a test can search for it. */
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
