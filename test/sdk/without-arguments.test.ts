import { isDevidError, type Client } from "@devid/sdk";
import { unseal } from "@devid/sdk/sealed-results";
import { parseWebhook, signWebhook, verifyWebhook } from "@devid/sdk/webhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { json, plainServer, type PlainServer } from "./http/plain-server";
import { clientAt } from "./server-api/secret-key-client";

// A program without types may forget the arguments of a call.

let server: PlainServer;
let client: Client;
beforeAll(async () => {
  server = await plainServer((_, response) => json(response, 403, {}));
  client = clientAt(server.url, { managementKey: "a-management-key" });
});
afterAll(() => server.close());

type Method = () => unknown;

/** The methods of an object and of its classes, by name. */
function methodsOf(one: object): [name: string, method: Method][] {
  const names = new Set<string>();
  for (let at = one; at !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    at = Object.getPrototypeOf(at) as object;
  }
  const members = one as Record<string, unknown>;
  return [...names].flatMap((name) => {
    const method = members[name];
    return typeof method === "function" && name !== "constructor"
      ? [[name, (method as Method).bind(one)]]
      : [];
  });
}

/** The error of a call; of a walk, that of its first page. */
async function errorOf(call: Method): Promise<unknown> {
  try {
    const result = call();
    if (typeof result === "object" && result !== null && "next" in result)
      await (result as AsyncGenerator).next();
    return await result;
  } catch (error) {
    return error;
  }
}

it("every method of a client, called without arguments, is refused by name or sends a request", async () => {
  const told: string[] = [];
  for (const [name, collection] of Object.entries(client)) {
    if (name === "configuration" || typeof collection !== "object") continue;
    for (const [method, call] of methodsOf(collection as object)) {
      const error = await errorOf(call);
      if (!isDevidError(error))
        expect.fail(`${name}.${method}: ${String(error)}`);
      told.push(`${name}.${method}: ${error.name}`);
    }
  }
  // Lists and searches need no arguments.
  const sent = told.filter((one) => !one.includes("InvalidInputError"));
  const needNone = /\.(list|listAll|findDefault|search|searchAll): /;
  expect(sent.filter((one) => !needNone.test(one))).toEqual([]);
  expect(told.length).toBeGreaterThan(35);
});

it.each<[string, (...none: never[]) => unknown]>([
  ["verifyWebhook", verifyWebhook],
  ["parseWebhook", parseWebhook],
  ["signWebhook", signWebhook],
  ["unseal", unseal],
])("%s, called without arguments, is refused by name", async (_, call) => {
  const error = await errorOf(call);
  expect(isDevidError(error), String(error)).toBe(true);
});

it("redact takes what is no text as a text", () => {
  expect(client.redact(undefined as never)).toBe("undefined");
});
