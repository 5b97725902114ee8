import { inspect } from "node:util";
import {
  createClient,
  isDevidError,
  optionsFromEnvironment,
  type Client,
} from "@devid/sdk";
import { seal, unseal } from "@devid/sdk/sealed-results";
import { parseWebhook, signWebhook, verifyWebhook } from "@devid/sdk/webhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { json, plainServer, type PlainServer } from "./http/plain-server";

// A program without types may forget the arguments of a call, or give others.

let server: PlainServer;
let client: Client;
beforeAll(async () => {
  server = await plainServer((_, response) => json(response, 403, {}));
  client = createClient({
    ...{ endpoint: server.url, managementKey: "mk", secretKey: "sk" },
    ...{ requestsPerSecond: 1e6, eventsRequestsPerSecond: "off" },
  });
});
afterAll(() => server.close());

type Method = (...given: readonly unknown[]) => unknown;

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

/** Every method of a client, with the name to tell. */
const callsOf = (of: Client): [name: string, call: Method][] =>
  Object.entries(of).flatMap(([name, collection]) =>
    name === "configuration" || typeof collection !== "object"
      ? []
      : methodsOf(collection as object).map(
          ([method, call]): [string, Method] => [`${name}.${method}`, call],
        ),
  );

/** The error of a call; of a walk, that of its first page. */
async function errorOf(
  call: Method,
  given: readonly unknown[] = [],
): Promise<unknown> {
  try {
    const result = call(...given);
    if (typeof result === "object" && result !== null && "next" in result)
      await (result as AsyncGenerator).next();
    return await result;
  } catch (error) {
    return error;
  }
}

it("every method of a client, called without arguments, is refused by name or sends a request", async () => {
  const told: string[] = [];
  for (const [name, call] of callsOf(client)) {
    const error = await errorOf(call);
    if (!isDevidError(error)) expect.fail(`${name}: ${String(error)}`);
    told.push(`${name}: ${error.name}`);
  }
  // Lists and searches need no arguments.
  const sent = told.filter((one) => !one.includes("InvalidInputError"));
  const needNone = /\.(list|listAll|findDefault|search|searchAll): /;
  expect(sent.filter((one) => !needNone.test(one))).toEqual([]);
  expect(told.length).toBeGreaterThan(35);
});

/** Values of every kind that no argument may have, alone and behind an argument that may be right. */
const STRANGE: readonly unknown[] = [
  ...[null, 1, Number.NaN, 1n, true, "", "x", Symbol("s"), () => 1],
  ...[{}, [], [null], new Date(Number.NaN)],
  ...[{ signal: 1 }, { signal: {} }, { retry: 1 }, { timeoutMs: "5" }],
  Object.create(null) as unknown,
];
const GIVEN = STRANGE.flatMap((one) => [...[[one], ["x", one], [{}, one]]]);

it("every method of a client, called with values of other kinds, fails with an error of devid or sends a request", async () => {
  let called = 0;
  for (const [name, call] of callsOf(client))
    for (const given of GIVEN) {
      const error = await errorOf(call, given);
      called += 1;
      if (!isDevidError(error) && error instanceof Error)
        expect.fail(`${name}(${inspect(given)}): ${inspect(error)}`);
    }
  expect(called).toBeGreaterThan(1_500);
}, 60_000);

it.each<[string, (...none: never[]) => unknown]>([
  ["createClient", createClient],
  ["optionsFromEnvironment", optionsFromEnvironment],
  ["verifyWebhook", verifyWebhook],
  ["parseWebhook", parseWebhook],
  ["signWebhook", signWebhook],
  ["seal", seal],
  ["unseal", unseal],
])(
  "%s, called without arguments or with values of other kinds, fails with an error of devid",
  async (name, call) => {
    // It needs no arguments.
    if (name !== "optionsFromEnvironment")
      expect(await errorOf(call as unknown as Method)).toSatisfy(isDevidError);
    for (const given of GIVEN) {
      const error = await errorOf(call as unknown as Method, given);
      if (!isDevidError(error) && error instanceof Error)
        expect.fail(`${inspect(given)}: ${inspect(error)}`);
    }
  },
);

it("redact takes what is no text as a text", () => {
  expect(client.redact(undefined as never)).toBe("undefined");
});
