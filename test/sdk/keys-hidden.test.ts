import { inspect } from "node:util";
import {
  createClient,
  DevidError,
  optionsFromEnvironment,
  type RequestInfo,
} from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { openForTests } from "../helpers/open-for-tests";
import { QUICK_RETRY, rejection, Workspace } from "./workspace";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const KEYS = ["warbler-management-1", "warbler-secret-2"] as const;

/** Everything that an application may print, copy or send of a value, to a given depth. */
function shown(value: unknown, depth = 20): string {
  // A value that cannot be copied or printed shows nothing.
  const tried = (show: () => string) => {
    try {
      return show();
    } catch {
      return "";
    }
  };
  return [
    inspect(value, {
      ...{ showHidden: true, depth, getters: true },
      ...{ maxStringLength: Infinity, maxArrayLength: Infinity },
    }),
    JSON.stringify(value) ?? "",
    tried(() => inspect(structuredClone(value), { depth })),
    tried(() => String(value)),
  ].join("\n");
}

/**
 * Every object that can be reached by properties, also hidden ones of prototypes.
 * Schemas are left out: all clients share them, so they exist before any key is known.
 */
function reached(from: object): object[] {
  const found = new Set<object>([from]);
  for (const object of found)
    for (const owner of [object, Object.getPrototypeOf(object) as unknown])
      if (typeof owner === "object" && owner !== null)
        for (const name of Reflect.ownKeys(owner)) {
          const own = Reflect.getOwnPropertyDescriptor(owner, name);
          const member: unknown =
            own?.get && name !== "__proto__"
              ? Reflect.get(object, name)
              : own?.value;
          if (
            typeof member === "object" &&
            member !== null &&
            !isSchema(member)
          )
            found.add(member);
        }
  return [...found];
}

const isSchema = (value: object) => value instanceof z.core.$ZodType;

describe("the keys of a client", () => {
  const options = () => ({
    endpoint: workspace.url,
    managementKey: KEYS[0],
    secretKey: KEYS[1],
    requestsPerSecond: 10_000,
    eventsRequestsPerSecond: "off" as const,
    retry: QUICK_RETRY,
  });

  it("are in no object that can be reached from the client", () => {
    const objects = reached(createClient(options()));
    expect(objects.length).toBeGreaterThan(20);
    for (const object of objects) {
      const text = shown(object, 2);
      for (const key of KEYS) expect(text).not.toContain(key);
    }
  });

  it("are hidden if the options from the environment are printed", () => {
    const read = optionsFromEnvironment([], {
      DEVID_MANAGEMENT_KEY: KEYS[0],
      DEVID_SECRET_KEY: KEYS[1],
    });
    expect([read.managementKey, read.secretKey]).toEqual(KEYS);
    const printed = [inspect(read), inspect({ read }), JSON.stringify(read)];
    for (const key of KEYS) expect(printed.join()).not.toContain(key);
    expect(JSON.parse(JSON.stringify(read))).toMatchObject({
      managementKey: "[redacted]",
      secretKey: "[redacted]",
    });
  });

  it("are in no error and in no call of the hook, for any failure", async () => {
    const requests: RequestInfo[] = [];
    const client = createClient({
      ...options(),
      onRequest: (info) => requests.push(info),
    });
    const calls = [
      () => client.events.get("e1"),
      () => client.events.search(),
      () => client.legacy.get("e1"),
      () => client.deviceReputation.get("v1"),
      () => client.visitors.delete("v1"),
      () => client.webhooks.list(),
      () => client.apiKeys.create({ name: KEYS[0], type: "secret" }),
      () => client.webhooks.get(`${KEYS[1]}/x`),
    ];
    const errors: Error[] = [];
    for (const then of [undefined, { status: 500, body: KEYS[1] }, "reset"]) {
      if (then) await workspace.fault({ match: {}, then });
      for (const call of calls) errors.push(await rejection(call()));
      await workspace.forgetFaults();
    }
    expect(errors).toHaveLength(24);
    for (const error of errors) {
      expect(error).toBeInstanceOf(DevidError);
      for (const key of KEYS) expect(shown(error)).not.toContain(key);
    }
    expect(requests.length).toBeGreaterThan(24);
    for (const key of KEYS) expect(shown(requests)).not.toContain(key);
  });
});
