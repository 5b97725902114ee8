import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { StartError, type ServiceOptions } from "@devid/service";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { randomKeys } from "../helpers/keys-file.js";
import { localForTest } from "../helpers/local-for-tests.js";
import { WebhookReceiver } from "../helpers/webhook-receiver.js";
import {
  startLocalService,
  type LocalWorkspace,
} from "../helpers/local-workspace.js";
import { PAGE } from "./identification/identify-calls.js";
import { ServiceProcess } from "./service-process.js";
import { folderForEachTest } from "../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const file = (name: string) => join(folder, name);
const start = localForTest;
/** The message of a start that must fail. */
const failure = async (options: ServiceOptions): Promise<string> => {
  const failed = await startLocalService(options).then(
    async (service) => {
      await service.close();
      return new Error("it started");
    },
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(StartError);
  return (failed as StartError).message;
};
const portOf = ({ url }: LocalWorkspace) => Number(new URL(url).port);
const createHook = (local: LocalWorkspace) =>
  local.us("POST", "/webhooks", { body: { url: "https://shop.example" } });

const keys = randomKeys();
/** The same keys, with an ID for the default environment. */
const keysNaming = (environment: string) => {
  const us = { ...keys.workspaces.us, environment };
  return { ...keys, workspaces: { ...keys.workspaces, us } };
};

describe("the address of the service", () => {
  it("is on loopback, with the development keys", async () => {
    const { service } = await start();
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(service.workspaces.eu).toEqual({
      managementKey: "local-management-eu",
      secretKey: "local-secret-eu",
      publicKey: "local-public-eu",
      environment: expect.stringMatching(/^ae_/) as string,
    });
  });

  const elsewhere = ["0.0.0.0", "::", "192.168.1.5", "127.0.0.1.example.com"];
  it.each(elsewhere)("cannot be %s without keys", async (host) => {
    const said = await failure({ host });
    expect(said).toMatch(/keys that everybody knows.*--keys/);
  });

  it("can be one port for each surface, as the vendor's command line needs it", async () => {
    const readyFile = file("ready.json");
    const options = { surfaces: "separate", readyFile } as const;
    const local = await start(options);
    const { url, workspaces, surfaces } = local.service;
    const ready = JSON.parse(readFileSync(readyFile, "utf8")) as object;
    expect(ready).toEqual({ url, surfaces, workspaces });
    const ports = Object.values({ url, ...surfaces });
    expect(new Set(ports).size).toBe(6);
    for (const { environment: _, ...own } of Object.values(workspaces))
      for (const key of Object.values(own)) expect(key).toMatch(/^[a-z]+$/);
    const get = async (
      path: string,
      base: string | undefined,
      key: string,
      version = "2025-11-20",
    ) => {
      const authorization = `Bearer ${key}`;
      const headers = { authorization, "x-api-version": version };
      return (await fetch(new URL(path, base), { headers })).status;
    };
    const { managementKey, secretKey } = workspaces.eu;
    const { management, eu, us, drn } = surfaces ?? {};
    // Device reputation has no region, and its calls begin with /drn in production, too.
    const device = "Ibk1527CUFmcnjLwIs4A9";
    const firstSeenAt = "2026-01-02T00:00:00Z";
    const timestamps = { firstSeenAt, lastSeenAt: "2026-05-31T00:00:00Z" };
    await local.control(`/eu/drn/${device}`, { timestamps });
    for (const [path, status] of [
      [`/drn/${device}?signals=timestamps`, 200],
      [`/drn/${device}?signals=moon`, 400],
      [`/${device}?signals=timestamps`, 404],
      ["/v4/events", 404],
      ["/", 404],
      ["/_local/requests", 404],
    ] as const)
      expect(await get(path, drn, secretKey, "2024-09-01"), path).toBe(status);
    expect(await get("/api-keys", management, managementKey)).toBe(200);
    expect(await get("/v4/events", eu, secretKey)).toBe(200);
    expect(await get("/v4/events", us, secretKey)).toBe(403);
    expect(await get("/management/api-keys", url, managementKey)).toBe(200);
    expect(await get("/_local/requests", management, managementKey)).toBe(404);
    const body = '{"event": "login", "properties": {"ok": true}}';
    const reports = new URL("/analytics/events", management);
    const report = await fetch(reports, { method: "POST", body });
    expect(report.status).toBe(202);
    await local.close();
    await expect(fetch(String(management))).rejects.toThrow();
  });

  it("can be on another interface with keys", async () => {
    const local = await start({ host: "0.0.0.0", keys });
    expect(local.url).toBe(`http://127.0.0.1:${portOf(local)}`);
    expect((await fetch(`${local.url}/openapi.json`)).status).toBe(200);
  });

  it("is reported if its port is in use", async () => {
    const port = portOf(await start());
    const inUse = new RegExp(`^Port ${port} .*in use.*--port`);
    expect(await failure({ port })).toMatch(inUse);
    expect(await failure({ port: 70_000 })).toMatch(/^Port 70000 is not/);
  });

  it.each([
    { rateLimit: 0 },
    { rateLimit: NaN },
    { mutableAfterMs: -1 },
    { searchTimeoutMs: -1 },
    { searchTimeoutMs: NaN },
    { searchTimeoutMs: Infinity },
  ])("cannot be %j", async (options) => {
    expect(await failure(options)).toMatch(/is not a number/);
  });
});

describe("keys", () => {
  it("from a file replace the development keys, and protect the control calls", async () => {
    writeFileSync(file("keys.json"), `\ufeff${JSON.stringify(keys)}`);
    const local = await start({ keys: file("keys.json") });
    expect(local.service.workspaces.us).toMatchObject(keys.workspaces.us);
    expect((await local.us("GET", "/hello")).status).toBe(200);
    const hello = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await local.us("GET", "/hello", { headers })).status;
    };
    expect(await hello("local-management-us")).toBe(401);
    expect(await hello(keys.controlKey)).toBe(401);
    const { list } = await local.us("GET", "/api-keys?type=public");
    expect(list[0]?.token).toBe(keys.workspaces.us.publicKey);

    const control = async (authorization?: string) => {
      const call = { headers: { authorization }, undocumented: true };
      return (await local.controlCall("GET", "/requests", call)).status;
    };
    expect(await control()).toBe(401);
    const { managementKey } = keys.workspaces.us;
    expect(await control(`Bearer ${managementKey}`)).toBe(401);
    expect(await control(`Bearer ${keys.controlKey}`)).toBe(200);
  });

  const withControlKey = (controlKey: string) =>
    JSON.stringify({ ...keys, controlKey });
  it.each<[string, string, RegExp]>([
    ["invalid JSON", '{"workspaces": canary-0000000001', /is not JSON/],
    ["nothing", "{}", /workspaces: .*\n.*controlKey: /],
    ["a short key", withControlKey("canary"), /controlKey: /],
    ["a known key", withControlKey("local-management-us"), /everybody knows/],
    [
      "a repeated key",
      withControlKey(keys.workspaces.us.secretKey),
      /the same/,
    ],
    ["a key with a space", withControlKey("canary 000000001"), /controlKey: /],
    ["an unknown member", JSON.stringify({ ...keys, no: {} }), /"no"/],
  ])(
    "in a file with %s are refused with the place",
    async (_what, text, message) => {
      writeFileSync(file("keys.json"), text);
      const said = await failure({ keys: file("keys.json") });
      expect(said).toContain(file("keys.json"));
      expect(said).toMatch(message);
      expect(said).not.toContain("canary");
    },
  );

  it("from a missing file are refused with that reason", async () => {
    expect(await failure({ keys: file("none.json") })).toMatch(
      /none\.json cannot be read: there is no such file\.$/,
    );
  });

  it("can change for the same data, and name the default environment once", async () => {
    const data = file("data.db");
    const first = await start({ data, keys: keysNaming("ae_chosen") });
    expect(first.service.workspaces.us.environment).toBe("ae_chosen");
    await first.close();
    const second = await start({ data });
    const { list } = await second.us("GET", "/api-keys?type=public");
    expect(list.map(({ token }) => token)).toEqual(["local-public-us"]);
    await second.close();
    expect(await failure({ data, keys: keysNaming("ae_other") })).toMatch(
      /ae_other.*ae_chosen/,
    );
  });
});

describe("the ready file", () => {
  it("exists, complete and private, while the service answers", async () => {
    const readyFile = file("ready.json");
    const { service } = await start({ readyFile });
    const { url, workspaces } = service;
    const ready = JSON.parse(readFileSync(readyFile, "utf8")) as object;
    expect(ready).toEqual({ url, workspaces });
    expect(statSync(readyFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["ready.json"]);
    await service.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is kept if it belongs to another service", async () => {
    const readyFile = file("ready.json");
    const first = await start({ readyFile });
    const second = await start({ readyFile });
    await first.close();
    expect(readFileSync(readyFile, "utf8")).toContain(second.service.url);
  });

  it("of a killed service is deleted before the next start has finished", async () => {
    const readyFile = file("ready.json");
    const first = await start({ readyFile });
    const left = readFileSync(readyFile);
    const { url } = first.service;
    await first.close();
    writeFileSync(readyFile, left);
    const other = await start();
    const port = portOf(other);
    expect(url).not.toBe(other.url);
    expect(await failure({ port, readyFile })).toContain("is in use");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a running service survives a failed start of another", async () => {
    const readyFile = file("ready.json");
    const local = await start({ readyFile });
    const port = portOf(local);
    expect(await failure({ port, readyFile })).toContain("is in use");
    expect(readFileSync(readyFile, "utf8")).toContain(local.url);
  });

  it("replaces an empty file, and no file of anything else", async () => {
    const readyFile = file("ready.json");
    writeFileSync(readyFile, "");
    await (await start({ readyFile })).close();
    for (const content of ["{}", "# Notes", '{"url": 5}', "\0"]) {
      writeFileSync(readyFile, content);
      expect(await failure({ readyFile })).toContain("Name another file");
      expect(readFileSync(readyFile, "utf8")).toBe(content);
    }
    // A data file is another file, too, be it new or old.
    const data = file("data.db");
    expect(await failure({ data, readyFile: data })).toContain("Name another");
    await (await start({ data })).close();
    expect(await failure({ data, readyFile: data })).toContain("Name another");
    await (await start({ data })).close();
  });

  it("stops the start and frees the port if it cannot be written", async () => {
    const local = await start();
    const port = portOf(local);
    await local.close();
    const readyFile = file("none/ready.json");
    expect(await failure({ port, readyFile })).toMatch(
      /none\/ready\.json cannot be written: its folder is not there\.$/,
    );
    await start({ port });
  });
});

it("a start that fails releases its data file at once", async () => {
  const data = file("data.db");
  const port = portOf(await start());
  const first = await start({ data });
  await first.close();
  for (const [options, message] of [
    [{ port }, "is in use"],
    [{ readyFile: file("none/ready.json") }, "cannot be written"],
    [{ keys: keysNaming("ae_other") }, "the default environment"],
    [{ host: "192.0.2.1", keys }, "this machine has no such address"],
  ] as const) {
    expect(await failure({ data, ...options })).toContain(message);
    await (await start({ data })).close();
  }
});

describe("the stop of the service", () => {
  it("does not wait for a connection without a request", async () => {
    const local = await start();
    const { hostname, port } = new URL(local.service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const ended = once(socket, "close");
    const began = performance.now();
    await local.close();
    expect(performance.now() - began).toBeLessThan(4_500);
    await ended;
  });

  it("takes less than 5 s, even with 400 connections that send a byte now and then", async () => {
    const local = await start();
    const { hostname, port } = new URL(local.service.url);
    const head = "POST /management/webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    const body = `${head}Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n{`;
    const sockets = await Promise.all(
      Array.from({ length: 400 }, async (_, n) => {
        const socket = connect(Number(port), hostname);
        // A client sees the end of a connection only after it has read the answer.
        socket.on("error", () => {}).resume();
        await once(socket, "connect");
        socket.write(n % 2 === 0 ? head : body);
        return socket;
      }),
    );
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write("X");
    }, 100);
    // The service has read the data before this request.
    await local.us("GET", "/webhooks");
    const began = performance.now();
    await local.close();
    expect(performance.now() - began).toBeLessThan(8_000);
    clearInterval(trickle);
    await expect
      .poll(() => sockets.filter(({ closed }) => !closed))
      .toHaveLength(0);
  });

  it("finishes running requests, refuses new requests, and can be repeated", async () => {
    const local = await start();
    const match = { method: "POST" };
    await local.fault({ match, times: 1, then: { delayMs: 200 } });
    const made = createHook(local);
    while ((await local.requests()).length === 0);
    const began = performance.now();
    await Promise.all([local.close(), local.close()]);
    expect(performance.now() - began).toBeLessThan(4_500);
    expect((await made).status).toBe(201);
    await expect(createHook(local)).rejects.toThrow("fetch failed");
  });
});

const rule = (name: string) => ({ name, expression: "true", action: "deny" });

describe("the data file", () => {
  it("keeps everything, with private permissions", async () => {
    const data = file("data.db");
    const first = await start({ data });
    const { id } = (await createHook(first)).data;
    const { pagination } = await first.us("GET", "/api-keys?limit=1");
    const cursor = pagination["nextCursor"];
    expect(statSync(data).mode & 0o777).toBe(0o600);
    const { environment } = first.service.workspaces.us;
    await first.close();
    const second = await start({ data });
    expect((await second.us("GET", "/webhooks")).ids).toEqual([id]);
    expect(second.service.workspaces.us.environment).toBe(environment);
    const rest = await second.us("GET", `/api-keys?cursor=${cursor}`);
    expect(rest.list).toHaveLength(1);
    expect((await second.us("GET", "/api-keys")).list).toHaveLength(2);
  });

  it("is a file of its name, whatever SQLite takes for a URL", async () => {
    const name = "a b?mode=memory&c=%20#.db";
    await (await start({ data: file(name) })).close();
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    await (await start({ data: "file::memory:" })).close();
    expect(readdirSync(folder)).toEqual([name, "file::memory:"]);
    for (const name of readdirSync(folder))
      expect(statSync(file(name)).size).toBeGreaterThan(0);
  });

  it("becomes private if others could read it", async () => {
    const data = file("data.db");
    await (await start({ data })).close();
    chmodSync(data, 0o644);
    writeFileSync(`${data}-wal`, "", { mode: 0o644 });
    await start({ data });
    for (const name of readdirSync(folder))
      expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it("of another program is left unlocked after the failed start", async () => {
    const data = file("other.db");
    const other = new DatabaseSync(data);
    other.exec("CREATE TABLE theirs (id TEXT)");
    other.close();
    expect(await failure({ data })).toContain("other.db");
    const again = new DatabaseSync(data);
    again.exec("INSERT INTO theirs VALUES ('still writable')");
    again.close();
  });

  it("is refused if it cannot be opened", async () => {
    const reason = /data\.db cannot be opened: its folder is not there\.$/;
    expect(await failure({ data: file("none/data.db") })).toMatch(reason);
    expect(await failure({ data: folder })).toMatch(/is a folder/);
  });

  it("is refused if it belongs to another version, and left as it is", async () => {
    const data = file("other.db");
    await (await start({ data })).close();
    const other = new DatabaseSync(data);
    other.exec("PRAGMA user_version = 10");
    other.close();
    const before = readFileSync(data);
    expect(await failure({ data })).toMatch(
      /other\.db was written by another version of devid and was left as it is\. Choose another file, or delete this one to start anew\.$/,
    );
    expect(readFileSync(data).equals(before)).toBe(true);
  });

  it("keeps nothing of a bulk call that fails in the middle", async () => {
    const data = file("data.db");
    const bulk = (local: LocalWorkspace, names: string[], mode: string) => {
      const body = { rules: names.map(rule), mode };
      const call = { body, undocumented: true };
      return local.us("POST", "/filtering-rules/bulk", call);
    };
    const first = await start({ data });
    const { list: before } = await bulk(first, ["a", "b"], "merge");
    await first.close();
    const database = new DatabaseSync(data);
    database.exec(
      `CREATE TRIGGER fail BEFORE INSERT ON filtering_rules WHEN NEW.name = 'fail'
       BEGIN SELECT RAISE(ABORT, 'failed on purpose'); END`,
    );
    database.close();
    const second = await start({ data });
    for (const mode of ["merge", "overwrite"]) {
      const answer = await bulk(second, ["c", "d", "fail", "e"], mode);
      expect(answer.refusal).toEqual([500, "internal_error"]);
      expect(answer.text).not.toContain("on purpose");
      expect((await second.us("GET", "/filtering-rules")).list).toEqual(before);
    }
    expect((await bulk(second, ["c"], "overwrite")).status).toBe(200);
  });

  it("does not delay a stop for a delivery of a late request, which the next start sends", async () => {
    const data = file("data.db");
    const receiver = await WebhookReceiver.forTest();
    receiver.reply = undefined;
    const first = await start({ data });
    await first.control("/us/webhooks", { url: receiver.url, verified: true });
    const { url, workspaces } = first.service;
    const { hostname, port } = new URL(url);
    const path = `/us/web/v4/${workspaces.us.publicKey}`;
    const body = JSON.stringify(PAGE);
    /** Sends a request except its last byte, and returns a function that finishes it. */
    const begin = async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}`;
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
      socket.write(`${head}\r\n${type}\r\n\r\n${body.slice(0, -1)}`);
      return async () => {
        socket.write(body.slice(-1));
        const [answer] = (await once(socket, "data")) as [Buffer];
        expect(String(answer)).toContain("200 OK");
      };
    };
    const finishes = [await begin(), await begin()];
    const calls = async () =>
      (await first.requests()).filter((one) => one.includes(path));
    await expect.poll(calls).toHaveLength(2);
    const began = performance.now();
    const closed = first.close();
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), 10_000);
    for (const finish of finishes) {
      await finish();
      // Enough time for a service that would still start a delivery.
      await setTimeout(100);
    }
    await closed;
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(receiver.received).toHaveLength(0);
    receiver.reply = { status: 200 };
    await start({ data });
    await receiver.get(2);
  });

  it("belongs to one process at a time, and has every answered write after a kill", async () => {
    const data = file("data.db");
    const child = await ServiceProcess.start(data);
    onTestFinished(() => child.kill());
    const { url, managementKey } = child;
    expect(await failure({ data })).toMatch(/data\.db is in use by another p/);

    const answered: string[] = [];
    const write = async (n: number) => {
      const rules = Array.from({ length: 20 }, (_, i) => rule(`${n}-${i}`));
      const response = await fetch(`${url}/management/filtering-rules/bulk`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${managementKey}`,
          "x-api-version": "2025-11-20",
          "content-type": "application/json",
        },
        body: JSON.stringify({ rules }),
      });
      const { data } = (await response.json()) as { data: { id: string }[] };
      answered.push(...data.map(({ id }) => id));
    };
    // Four writers at once, until the kill interrupts them.
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; ; n += 1) await write(writer * 1_000_000 + n);
    });
    const cutOff = Promise.allSettled(writers);
    await expect.poll(() => answered.length).toBeGreaterThan(400);
    await child.kill();
    await cutOff;

    const { us } = await start({ data });
    const kept = (await us("GET", "/filtering-rules")).list;
    const ids = new Set(kept.map(({ id }) => id));
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    // Either all of a call's twenty rules are stored, or none.
    const calls = new Map<string, number>();
    for (const { name } of kept) {
      const call = String(name).split("-")[0] ?? "";
      calls.set(call, (calls.get(call) ?? 0) + 1);
    }
    expect(new Set(calls.values())).toEqual(new Set([20]));
  });
});
