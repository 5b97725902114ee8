import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { randomKeys } from "../../helpers/keys-file";
import { WebhookReceiver } from "../../helpers/webhook-receiver";
import { BIN, DevidProcess, failed } from "../devid-process";
import { folderForEachTest } from "../../helpers/test-folder";
import { listen } from "../../helpers/listen";

let folder: string;
folderForEachTest((path) => (folder = path));
let devid: DevidProcess | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  devid?.child.kill("SIGKILL");
  await devid?.ended();
  devid = undefined;
});

interface Ready {
  url: string;
  workspaces: Record<string, Record<string, string>>;
}

/** Starts a service, and waits until it is ready. */
async function serve(...flags: readonly string[]): Promise<Ready> {
  const all = ["serve", "--port", "0", "--json", ...flags];
  devid = DevidProcess.start(all);
  return JSON.parse(await devid.firstLine()) as Ready;
}

/** The requests that a service has logged. */
async function logOf(url: string): Promise<unknown> {
  return (await fetch(`${url}/_local/requests`)).json();
}

it("prints one line of JSON, writes the same line to its ready file, serves requests, and ends with its terminal", async () => {
  const readyFile = join(folder, "ready.json");
  const ready = await serve("--ready-file", readyFile);
  expect(JSON.parse(readFileSync(readyFile, "utf8"))).toEqual(ready);
  expect(statSync(readyFile).mode & 0o777).toBe(0o600);
  expect(Object.keys(ready.workspaces)).toEqual(["us", "eu", "ap"]);
  expect(ready.workspaces.us).toEqual({
    managementKey: "local-management-us",
    secretKey: "local-secret-us",
    publicKey: "local-public-us",
    environment: expect.stringMatching(/^ae_/) as string,
  });
  const answer = await fetch(`${ready.url}/openapi.json`);
  expect(answer.status).toBe(200);

  devid?.child.kill("SIGHUP");
  expect(await devid?.ended()).toBe(0);
  expect(existsSync(readyFile)).toBe(false);
});

it("tells a person its addresses, in 80 columns", async () => {
  devid = DevidProcess.start(["serve", "--port", "0"]);
  await devid.firstLine();
  devid.child.kill("SIGINT");
  expect(await devid.ended()).toBe(0);
  expect(devid.stdout).toMatch(
    /^The local service answers at http:\/\/127\.0\.0\.1:\d+; Ctrl-C stops it\.\n/,
  );
  for (const line of devid.stdout.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
});

/** Sends the beginning of a request and leaves the connection open. */
async function beginRequest(url: string, text: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    text.replace("\n", `\nHost: ${host}\n`).replaceAll("\n", "\r\n"),
  );
  return socket;
}

const HALF_BODY = `POST /us/web/v4/local-public-us HTTP/1.1
Content-Type: application/json
Content-Length: 100

{"sdk"`;

it("ends within 5 s after SIGTERM, with any work still running, and loses no delivery", async () => {
  const data = join(folder, "a.db");
  const receiver = await WebhookReceiver.start();
  receiver.reply = undefined;
  const { url } = await serve("--data", data);
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${url}/_local${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBeLessThan(300);
    await answer.text();
  };
  await control("/us/webhooks", { url: receiver.url, verified: true });
  await control("/identify/us", { publicKey: "local-public-us", headers: {} });
  await receiver.get(1);
  for (const [path, then] of [
    ["/us/v4/events", "hang"],
    ["/management/hello", { delayMs: 600_000 }],
  ] as const)
    await control("/faults", { match: { path }, then });
  for (const text of [
    "",
    "GET / HTTP/1.1\nAccept: text/html",
    "GET /console/icon.svg HTTP/1.1\n\n",
    "GET /console/visits HTTP/1.1\n\n",
    "GET /us/v4/events HTTP/1.1\n\n",
    "GET /management/hello HTTP/1.1\n\n",
    HALF_BODY,
  ])
    (await beginRequest(url, text)).pause();
  await expect.poll(() => logOf(url)).toHaveLength(3);

  const began = performance.now();
  devid?.child.kill("SIGTERM");
  expect(await devid?.ended()).toBe(0);
  // The service promises 5 s, and the machine may be busy.
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(devid?.stderr).toBe("");

  const again = await serve("--data", data);
  const answer = await fetch(`${again.url}/_local/us/deliveries`);
  expect(await answer.json()).toMatchObject([
    { state: "pending", attempts: [{ error: "No answer within 3 s." }] },
  ]);
  receiver.close();
}, 60_000);

it("ends at once on a second Ctrl-C", async () => {
  const readyFile = join(folder, "ready.json");
  const { url } = await serve("--ready-file", readyFile);
  await beginRequest(url, HALF_BODY);
  await expect.poll(() => logOf(url)).toHaveLength(1);
  devid?.child.kill("SIGINT");
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), 10_000);
  const began = performance.now();
  devid?.child.kill("SIGINT");
  expect(await devid?.ended()).toBe(130);
  expect(performance.now() - began).toBeLessThan(4_500);
  expect(existsSync(readyFile)).toBe(false);
});

// Linux has a file that takes nothing.
it.runIf(existsSync("/dev/full"))(
  "leaves no ready file when its output cannot be written",
  () => {
    const readyFile = join(folder, "ready.json");
    const args = ["serve", "--port", "0", "--ready-file", readyFile];
    const full = openSync("/dev/full", "w");
    try {
      const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
        timeout: 20_000,
      });
      expect(stderr).toContain("Standard output cannot be written");
      expect(status).toBe(1);
    } finally {
      closeSync(full);
    }
    expect(existsSync(readyFile)).toBe(false);
  },
);

it("refuses a port in use, another host without keys, and bad flags", async () => {
  const blocker = createServer();
  const port = String(await listen(blocker));
  try {
    const taken = await DevidProcess.run(["serve", "--port", port]);
    expect(taken).toMatchObject({ code: 1, stdout: "" });
    expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is in use.`);
  } finally {
    blocker.close();
  }
  expect(
    await failed(DevidProcess.run(["serve", "--host", "0.0.0.0"])),
  ).toContain("--keys FILE");
  expect(await failed(DevidProcess.run(["serve", "--port", "x"]))).toContain(
    "It has to be a whole number of at least 0.",
  );
});

it("prints the keys of a keys file only with --show-secrets, and warns that other machines use plain HTTP", async () => {
  const keys = join(folder, "keys.json");
  const given = randomKeys();
  const { us } = given.workspaces;
  writeFileSync(keys, JSON.stringify(given));
  const printed = async (...args: string[]) => {
    const { workspaces } = await serve("--keys", keys, ...args);
    devid?.child.kill("SIGTERM");
    await devid?.ended();
    expect(devid?.stderr).toEqual(
      args.includes("--host")
        ? expect.stringMatching(/^warning: The service speaks plain HTTP.*TLS/)
        : "",
    );
    return workspaces.us;
  };
  expect(await printed()).toMatchObject({
    managementKey: "[redacted]",
    secretKey: "[redacted]",
    publicKey: us.publicKey,
  });
  expect(await printed("--show-secrets", "--host", "0.0.0.0")).toMatchObject(
    us,
  );
});
