import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import {
  Handler,
  HostSession,
} from "../../../../provider/src/adapters/dynamic/handler";
import type { ResourceDefinition } from "../../../../provider/src/definition/define-resource";
import { ApiKey } from "../../../../provider/src/registry";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { listen } from "../../../helpers/listen";

const workspace = sharedForTests();

/** A port that an engine listens on. `end` closes it and its connections, as `kill -9` does. */
async function startEngine() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  const port = await listen(server);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    address: `127.0.0.1:${port}`,
    drop,
    connection: () => once(server, "connection"),
    end: () => {
      server.close();
      drop();
    },
  };
}

function handlerFor(address: string): Handler {
  const { url, service } = workspace;
  const { managementKey } = service.workspaces.us;
  const settings: Record<string, string> = {
    endpoint: url,
    managementKey,
    requestsPerSecond: "2",
  };
  const session = new HostSession(
    () => Promise.resolve(),
    {},
    { address, onGone: () => undefined },
  );
  session.configure({
    get: (name: string) => settings[name.replace("devid:", "")],
  } as never);
  const load = () => Promise.resolve(ApiKey as unknown as ResourceDefinition);
  return new Handler(load, session);
}

it("makes nothing more once the engine is gone, and goes on while it is there", async () => {
  const engine = await startEngine();
  const connected = engine.connection();
  const handler = handlerFor(engine.address);
  const create = (name: string) =>
    handler.create({ name, type: "secret", status: "enabled" });
  await create("First");
  await connected;
  // The engine closes an idle connection.
  const again = engine.connection();
  engine.drop();
  await again;
  await create("Second");

  const rest = Array.from({ length: 8 }, (_, at) => create(`Later ${at}`));
  await Promise.race(rest);
  engine.end();
  const results = await Promise.allSettled(rest);
  const made = results.filter(({ status }) => status === "fulfilled");
  expect(made.length).toBeLessThan(8);
  const keys = await workspace.list("api-keys");
  expect(
    keys.filter(({ name }) => String(name).startsWith("Later")),
  ).toHaveLength(made.length);
}, 30_000);

it("ends the host of a killed engine, which Pulumi's launcher would leave running", async () => {
  const engine = await startEngine();
  const connected = engine.connection();
  // The host waits ten seconds for its calls to be answered; here, time goes faster.
  const source = `
    const wait = setTimeout;
    globalThis.setTimeout = (then, ms, ...given) => wait(then, ms / 100, ...given);
    const { Webhook } = require(${JSON.stringify(require.resolve("@devid/pulumi/provider"))});
    Webhook.configure({ config: { get: () => undefined } });
    Webhook.check({}, { url: "https://hooks.example" });
    setInterval(() => undefined, 1_000);`;
  const host = spawn(process.execPath, ["-e", source, engine.address]);
  const ended = once(host, "exit");
  await connected;
  engine.end();
  expect(await ended).toEqual([0, null]);
}, 60_000);
