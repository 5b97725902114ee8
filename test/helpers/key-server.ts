import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { listen } from "./listen";

/** What stands before a text that Vault has encrypted. */
const MARK = "vault:v1:";

/**
 * The secrets provider of all stacks of this process: a server that answers as Vault does,
 * but encrypts nothing. With a passphrase, the engine would need 0.2 s of processor time in
 * each run to derive a key.
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
    await listen(server);
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
  // The engine encrypts secrets itself, with a key that it has encrypted here.
  const data = request.url?.includes("/encrypt/")
    ? { ciphertext: `${MARK}${body.plaintext}` }
    : { plaintext: body.ciphertext?.replace(MARK, "") };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data }));
}
