import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const KEY = randomBytes(32);
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The secrets provider of all stacks of this process: a server that encrypts keys as
 * Vault does. With a passphrase, the engine would need 0.2 s of processor time in each
 * run to derive a key.
 */
export const SECRETS_PROVIDER = "hashivault://tests";

let server: Server | undefined;

/**
 * Settings by which the engine finds the server of this process. The server has Vault's
 * API for encryption, is started once, and ends with the process.
 */
export async function keyServerSettings(): Promise<Record<string, string>> {
  if (!server) {
    server = createServer((request, response) => {
      void answer(request, response);
    }).unref();
    await once(server.listen(0, "127.0.0.1"), "listening");
  }
  const { port } = server.address() as AddressInfo;
  return {
    VAULT_SERVER_URL: `http://127.0.0.1:${port}`,
    VAULT_SERVER_TOKEN: "token-of-the-tests",
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = (await json(request)) as Record<string, string>;
  const data = request.url?.includes("/encrypt/")
    ? { ciphertext: encrypted(body.plaintext ?? "") }
    : { plaintext: decrypted(body.ciphertext ?? "") };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data }));
}

function encrypted(plaintext: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", KEY, iv);
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), text];
  return `vault:v1:${Buffer.concat(parts).toString("base64")}`;
}

function decrypted(ciphertext: string): string {
  const bytes = Buffer.from(ciphertext.replace("vault:v1:", ""), "base64");
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const cipher = createDecipheriv("aes-256-gcm", KEY, iv).setAuthTag(tag);
  const text = cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([text, cipher.final()]).toString();
}
