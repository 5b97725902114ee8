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
import { StartError, startService, type ServiceOptions } from "@devid/service";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebhookReceiver } from "../helpers/webhook-receiver.js";
import { LocalWorkspace } from "../helpers/local-workspace.js";
import { ServiceProcess } from "./service-process.js";
import { folderForEachTest } from "../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));
const started: LocalWorkspace[] = [];
const children: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ service }) => service.close()));
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

const file = (name: string) => join(folder, name);
const start = async (options: ServiceOptions = {}) => {
  const local = await LocalWorkspace.start(options);
  started.push(local);
  return local;
};
/** The message of a start that must fail. */
const failure = async (options: ServiceOptions): Promise<string> => {
  const failed = await startService({
    port: 0,
    logLevel: "silent",
    ...options,
  }).then(
    async (service) => {
      await service.close();
      return new Error("it started");
    },
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(StartError);
  return (failed as StartError).message;
};
const createHook = (local: LocalWorkspace) =>
  local.us("POST", "/webhooks", { body: { url: "https://shop.example" } });

const keysOf = (region: string) => ({
  managementKey: `${region}-management-0001`,
  secretKey: `${region}-secret-00000001`,
  publicKey: `${region}-public-00000001`,
});
const keys = {
  workspaces: { us: keysOf("us"), eu: keysOf("eu"), ap: keysOf("ap") },
  controlKey: "control-key-00001",
};
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

  it.each([
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "example.com",
    "127.0.0.1.example.com",
  ])("cannot be %s without keys", async (host) => {
    expect(await failure({ host })).toMatch(
      /keys that everybody knows.*--keys/,
    );
  });

  it("can be one port for each surface, as the vendor's command line needs it", async () => {
    const readyFile = file("ready.json");
    const options = { surfaces: "separate", readyFile } as const;
    const { service } = await start(options);
    const { url, workspaces, surfaces } = service;
    expect(JSON.parse(readFileSync(readyFile, "utf8"))).toEqual({
      url,
      surfaces,
      workspaces,
    });
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
      const response = await fetch(new URL(path, base), {
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-api-version": version,
        },
      });
      return response.status;
    };
    const { managementKey, secretKey } = workspaces.eu;
    const { management, eu, us, drn } = surfaces ?? {};
    // Device reputation has no region, and its calls begin with /drn in production, too.
    const device = "Ibk1527CUFmcnjLwIs4A9";
    await fetch(`${url}/_local/eu/drn/${device}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"timestamps":{"firstSeenAt":"2026-01-02T00:00:00Z","lastSeenAt":"2026-05-31T00:00:00Z"}}',
    });
    for (const [path, status] of [
      [`/drn/${device}?signals=timestamps`, 200],
      [`/drn/${device}?signals=moon`, 400],
      [`/${device}?signals=timestamps`, 404],
      ["/v4/events", 404],
      ["/", 404],
      ["/_local/requests", 404],
    ] as const)
      expect([path, await get(path, drn, secretKey, "2024-09-01")]).toEqual([
        path,
        status,
      ]);
    expect(await get("/api-keys", management, managementKey)).toBe(200);
    expect(await get("/v4/events", eu, secretKey)).toBe(200);
    expect(await get("/v4/events", us, secretKey)).toBe(403);
    expect(await get("/management/api-keys", url, managementKey)).toBe(200);
    expect(await get("/_local/requests", management, managementKey)).toBe(404);
    const event = { event: "login", properties: { ok: true } };
    const report = await fetch(new URL("/analytics/events", management), {
      method: "POST",
      body: JSON.stringify(event),
    });
    expect(report.status).toBe(202);
    await service.close();
    await expect(fetch(String(management))).rejects.toThrow();
  });

  it("can be on another interface with keys", async () => {
    const { service } = await start({ host: "0.0.0.0", keys });
    const port = new URL(service.url).port;
    expect(service.url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
  });

  it("is reported if its port is in use", async () => {
    const { service } = await start();
    const port = Number(new URL(service.url).port);
    expect(await failure({ port })).toMatch(
      new RegExp(`^Port ${port} .*in use.*--port`),
    );
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
    const old = await local.us("GET", "/hello", {
      headers: { authorization: "Bearer local-management-us" },
    });
    expect(old.status).toBe(401);
    const { list } = await local.us("GET", "/api-keys?type=public");
    expect(list[0]?.token).toBe("us-public-00000001");

    const control = (authorization?: string) =>
      local.controlCall("GET", "/requests", {
        headers: { authorization },
        undocumented: true,
      });
    expect((await control()).status).toBe(401);
    expect((await control("Bearer us-management-0001")).status).toBe(401);
    expect((await control("Bearer control-key-00001")).status).toBe(200);
    const hello = await local.us("GET", "/hello", {
      headers: { authorization: "Bearer control-key-00001" },
    });
    expect(hello.status).toBe(401);
  });

  const withControlKey = (controlKey: string) =>
    JSON.stringify({ ...keys, controlKey });
  it.each<[string, string, RegExp]>([
    ["invalid JSON", '{"workspaces": canary-0000000001', /is not JSON/],
    ["nothing", "{}", /workspaces: .*\n.*controlKey: /],
    ["a short key", withControlKey("canary"), /controlKey: /],
    [
      "a development key",
      withControlKey("local-management-us"),
      /controlKey: .*everybody knows/,
    ],
    ["a repeated key", withControlKey("us-secret-00000001"), /the same/],
    [
      "a key with a space",
      withControlKey("canary 0000000000001"),
      /controlKey: /,
    ],
    [
      "an unknown member",
      JSON.stringify({ ...keys, workspace: {} }),
      /workspace/,
    ],
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
    await first.service.close();
    const second = await start({ data });
    const { list } = await second.us("GET", "/api-keys?type=public");
    expect(list.map(({ token }) => token)).toEqual(["local-public-us"]);
    await second.service.close();
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
    expect(JSON.parse(readFileSync(readyFile, "utf8"))).toEqual({
      url,
      workspaces,
    });
    expect(statSync(readyFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["ready.json"]);
    await service.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is kept if it belongs to another service", async () => {
    const readyFile = file("ready.json");
    const first = await start({ readyFile });
    const second = await start({ readyFile });
    await first.service.close();
    expect(readFileSync(readyFile, "utf8")).toContain(second.service.url);
  });

  it("of a killed service is deleted before the next start has finished", async () => {
    const readyFile = file("ready.json");
    const first = await start({ readyFile });
    const left = readFileSync(readyFile);
    const { url } = first.service;
    await first.service.close();
    writeFileSync(readyFile, left);
    const other = await start();
    const { port } = new URL(other.service.url);
    expect(url).not.toBe(other.service.url);
    expect(await failure({ port: Number(port), readyFile })).toContain(
      "is in use",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a running service survives a failed start of another", async () => {
    const readyFile = file("ready.json");
    const { service } = await start({ readyFile });
    const port = Number(new URL(service.url).port);
    expect(await failure({ port, readyFile })).toContain("is in use");
    expect(readFileSync(readyFile, "utf8")).toContain(service.url);
  });

  it("replaces an empty file, and no file of anything else", async () => {
    const readyFile = file("ready.json");
    writeFileSync(readyFile, "");
    await (await start({ readyFile })).service.close();
    for (const content of ["{}", "# Notes", '{"url": 5}', "\0"]) {
      writeFileSync(readyFile, content);
      expect(await failure({ readyFile })).toContain("Name another file");
      expect(readFileSync(readyFile, "utf8")).toBe(content);
    }
    // A data file is another file, too, be it new or old.
    const data = file("data.db");
    expect(await failure({ data, readyFile: data })).toContain("Name another");
    await (await start({ data })).service.close();
    expect(await failure({ data, readyFile: data })).toContain("Name another");
    await (await start({ data })).service.close();
  });

  it("stops the start and frees the port if it cannot be written", async () => {
    const { service } = await start();
    const port = Number(new URL(service.url).port);
    await service.close();
    const readyFile = file("none/ready.json");
    expect(await failure({ port, readyFile })).toMatch(
      /none\/ready\.json cannot be written: its folder is not there\.$/,
    );
    await start({ port });
  });
});

describe("a start that fails", () => {
  it("releases its data file at once", async () => {
    const data = file("data.db");
    const { service } = await start();
    const port = Number(new URL(service.url).port);
    const first = await start({ data });
    await first.service.close();
    for (const [options, message] of [
      [{ port }, "is in use"],
      [{ readyFile: file("none/ready.json") }, "cannot be written"],
      [{ keys: keysNaming("ae_other") }, "the default environment"],
      [{ host: "192.0.2.1", keys }, "cannot listen"],
    ] as const) {
      expect(await failure({ data, ...options })).toContain(message);
      await (await start({ data })).service.close();
    }
  });
});

describe("the stop of the service", () => {
  it("does not wait for a connection without a request", async () => {
    const local = await start();
    const { hostname, port } = new URL(local.service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const ended = once(socket, "close");
    const began = performance.now();
    await local.service.close();
    expect(performance.now() - began).toBeLessThan(2_000);
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
    await local.service.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    clearInterval(trickle);
    await vi.waitFor(() =>
      expect(sockets.filter(({ closed }) => !closed)).toHaveLength(0),
    );
  });

  it("finishes running requests, refuses new requests, and can be repeated", async () => {
    const local = await start();
    const match = { method: "POST" };
    await local.fault({ match, times: 1, then: { delayMs: 200 } });
    const made = createHook(local);
    const requests = async () =>
      ((await local.controlCall("GET", "/requests")).body as unknown[]).length;
    while ((await requests()) === 0);
    const began = performance.now();
    await Promise.all([local.service.close(), local.service.close()]);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await made).status).toBe(201);
    await expect(createHook(local)).rejects.toThrow("fetch failed");
  });
});

describe("the data file", () => {
  it("keeps everything, with private permissions", async () => {
    const data = file("data.db");
    const first = await start({ data });
    const { id } = (await createHook(first)).data;
    const { pagination } = await first.us("GET", "/api-keys?limit=1");
    const cursor = pagination["nextCursor"];
    expect(statSync(data).mode & 0o777).toBe(0o600);
    const { environment } = first.service.workspaces.us;
    await first.service.close();
    const second = await start({ data });
    expect((await second.us("GET", "/webhooks")).ids).toEqual([id]);
    expect(second.service.workspaces.us.environment).toBe(environment);
    expect(
      (await second.us("GET", `/api-keys?cursor=${cursor}`)).list,
    ).toHaveLength(1);
    expect((await second.us("GET", "/api-keys")).list).toHaveLength(2);
  });

  it("is a file of its name, whatever SQLite takes for a URL", async () => {
    await start({ data: join(folder, "a b?mode=memory&c=%20#.db") });
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    await start({ data: "file::memory:" });
    for (const { service } of started) await service.close();
    expect(readdirSync(folder)).toEqual([
      "a b?mode=memory&c=%20#.db",
      "file::memory:",
    ]);
    for (const name of readdirSync(folder))
      expect(statSync(file(name)).size).toBeGreaterThan(0);
  });

  it("becomes private if others could read it", async () => {
    const data = file("data.db");
    await (await start({ data })).service.close();
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
    expect(await failure({ data: file("none/data.db") })).toMatch(
      /data\.db cannot be opened: its folder is not there\.$/,
    );
    expect(await failure({ data: folder })).toMatch(/is a folder/);
  });

  it("is refused if it belongs to another version, and left as it is", async () => {
    const data = file("other.db");
    await (await start({ data })).service.close();
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
    const rule = (name: string) => ({
      name,
      expression: "true",
      action: "deny",
    });
    const bulk = (local: LocalWorkspace, names: string[], mode: string) =>
      local.us("POST", "/filtering-rules/bulk", {
        body: { rules: names.map(rule), mode },
        undocumented: true,
      });
    const first = await start({ data });
    const { list: before } = await bulk(first, ["a", "b"], "merge");
    await first.service.close();
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
    const body = JSON.stringify({
      sdk: { platform: "js", version: "4.0.0" },
      url: "https://shop.example/",
      signals: {},
    });
    /** Sends a request except its last byte, and returns a function that finishes it. */
    const begin = async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(
        [
          `POST ${path} HTTP/1.1`,
          `Host: ${hostname}:${port}`,
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          "",
          body.slice(0, -1),
        ].join("\r\n"),
      );
      return async () => {
        socket.write(body.slice(-1));
        const [answer] = (await once(socket, "data")) as [Buffer];
        expect(String(answer)).toContain("200 OK");
      };
    };
    const finishes = [await begin(), await begin()];
    await vi.waitFor(async () => {
      const { text } = await first.controlCall("GET", "/requests");
      expect(text.split(path)).toHaveLength(3);
    });
    const began = performance.now();
    const closed = first.service.close();
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow());
    for (const finish of finishes) {
      await finish();
      // Enough time for a service that would still start a delivery.
      await setTimeout(100);
    }
    await closed;
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(receiver.received).toHaveLength(0);
    receiver.reply = { status: 200 };
    await start({ data });
    await receiver.get(2);
  });

  it("belongs to one process at a time, and has every answered write after a kill", async () => {
    const data = file("data.db");
    const child = await ServiceProcess.start(data);
    children.push(child);
    const { url, managementKey } = child;
    expect(await failure({ data })).toMatch(
      /data\.db is in use by another process/,
    );

    const answered: string[] = [];
    const write = async (n: number) => {
      const rules = Array.from({ length: 20 }, (_, i) => ({
        name: `${n}-${i}`,
        expression: "true",
        action: "deny",
      }));
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
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(400), {
      timeout: 10_000,
    });
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
