import type { LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import {
  lookupPublic,
  UndeliverableError,
  refusePrivateHost,
} from "../../../service/src/webhooks/private-network";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { localForTest } from "../../helpers/local-for-tests.js";
import { CourierBench } from "./courier-bench.js";

const PRIVATE = [
  "0.0.0.0 10.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255",
  "192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255",
  ":: ::10.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::a00:1",
  "64:ff9b:1::a00:1 2001:0:53aa:64c::1 2002:a00:1:: fc00::1 fd12:3456::1",
  "fe80::1 fe80::1%eth0 fec0::1 ff02::1",
].flatMap((line) => line.split(" "));
const PUBLIC = [
  "127.0.0.1 127.9.9.9 ::1 8.8.8.8 172.32.0.1",
  "2001:4860:4860::8888 2606:4700::1",
].flatMap((line) => line.split(" "));

describe("an address in a url", () => {
  it.each(PRIVATE)("%s is refused", (address) => {
    const host = address.includes(":") ? `[${address}]` : address;
    expect(() => refusePrivateHost(host)).toThrow(UndeliverableError);
  });

  it.each([...PUBLIC, "hooks.example", "10.0.0.1.example"])(
    "%s is accepted",
    (host) => expect(() => refusePrivateHost(host)).not.toThrow(),
  );

  it.each(["http://0xa000001/", "http://167772161/", "http://10.1/"])(
    "%s is refused in every spelling",
    (url) => {
      const { hostname } = new URL(url);
      expect(() => refusePrivateHost(hostname)).toSay(
        "delivery/private-address",
        { address: "10.0.0.1" },
      );
    },
  );
});

describe("a host name", () => {
  const look = (found: LookupAddress[], all: boolean, failed?: Error) =>
    new Promise<unknown>((resolve, reject) =>
      lookupPublic((_, __, end) => end(failed ?? null, found))(
        "hooks.example",
        { all },
        (error, ...answer) => (error ? reject(error) : resolve(answer)),
      ),
    );
  const ok = { address: "8.8.8.8", family: 4 };

  it("is refused if one of its addresses is in a private network", async () => {
    const inside = { address: "fd00::1", family: 6 };
    for (const addresses of [[inside], [ok, inside]])
      for (const all of [true, false])
        await expect(look(addresses, all)).rejects.toThrow(
          "hooks.example is fd00::1, an address of a private network",
        );
  });

  it("is resolved as usual if all addresses are public", async () => {
    expect(await look([ok], true)).toEqual([[ok]]);
    expect(await look([ok], false)).toEqual(["8.8.8.8", 4]);
  });

  it("that is unknown gives the error of the lookup", async () => {
    const error = new Error("ENOTFOUND");
    await expect(look([], true, error)).rejects.toBe(error);
  });
});

it("a webhook in a private network is never called, and the delivery gives the reason", async () => {
  const bench = CourierBench.forTest().start();
  bench.webhook("https://192.168.1.1/hook");
  bench.webhook("https://[fe80::1]/hook");
  bench.visit();
  const errors = (await bench.settled()).map(
    ({ attempts }) => attempts[0]?.error,
  );
  expect(errors).toEqual(
    ["192.168.1.1", "fe80::1"].map((address) =>
      expect.toSay("delivery/private-address", { address }),
    ),
  );
});

/** A bench where every name has this address. */
const benchWhere = (address: string) =>
  CourierBench.forTest(":memory:", (_, __, found) =>
    found(null, [{ address, family: 4 }]),
  );

describe("a webhook whose url has a host name", () => {
  it("is not called if the name leads into a private network", async () => {
    const bench = benchWhere("10.0.0.1").start();
    bench.webhook("https://hooks.example/hook");
    bench.visit();
    const [delivery] = await bench.settled();
    expect(delivery?.attempts[0]?.error).toSay(
      "delivery/name-of-a-private-address",
    );
  });

  it("is called at the address that the system finds", async () => {
    const receiver = await WebhookReceiver.forTest();
    const bench = CourierBench.forTest().start();
    bench.webhook(receiver.url.replace("127.0.0.1", "localhost"));
    bench.visit();
    await receiver.get(1);
  });

  it("is called at the address that was checked", async () => {
    const receiver = await WebhookReceiver.forTest();
    const { port } = new URL(receiver.url);
    const bench = benchWhere("127.0.0.1").start();
    bench.webhook(`http://hooks.example:${port}/hook`);
    bench.visit();
    const [got] = await receiver.get(1);
    expect(got?.headers.host).toBe(`hooks.example:${port}`);
    const [delivery] = await bench.settled();
    expect(delivery?.state).toBe("delivered");
  });
});

describe("a webhook on the service's own port", () => {
  it.each(["localhost", "127.0.0.1", "[::1]", "hooks.example"])(
    "is not called at %s",
    async (host) => {
      const own = await WebhookReceiver.forTest();
      const port = Number(new URL(own.url).port);
      const bench = benchWhere("127.0.0.1").start([own.url]);
      bench.webhook(`http://${host}:${port}/_local/reset`);
      bench.visit();
      const [delivery] = await bench.settled();
      // If nothing listens on ::1, nothing can be reached either.
      expect(delivery?.attempts[0]?.error).toMatch(
        host === "[::1]"
          ? /is this service itself|ECONNREFUSED|EADDRNOTAVAIL/
          : "is this service itself",
      );
      expect(own.received).toEqual([]);
    },
  );

  it.each([
    ["http://127.0.0.1:80", 80],
    ["http://[::1]", 80],
    ["http://localhost:8787", 8787],
  ])("is not called when the service listens on %s", (address, port) => {
    const bench = CourierBench.forTest().start([address]);
    const destroy = vi.fn();
    const socket = { remoteAddress: "127.0.0.1", remotePort: port, destroy };
    const refused = bench.courier["poster"]["refusalOf"](
      [null, socket as unknown as Socket],
      { hostname: "localhost" },
    );
    expect(refused?.[0]?.message).toContain("is this service itself");
    expect(destroy).toHaveBeenCalledOnce();
  });

  it("cannot make the service call itself, not even by its verification", async () => {
    const local = await localForTest();
    const url = `${local.service.url}/_local/reset`;
    const { id } = await local.make("/webhooks", { url });
    await local.us("POST", `/webhooks/${id}/verification`);
    const log = async () =>
      (await local.controlCall("GET", "/us/deliveries")).text;
    await expect.poll(log).toContain("is this service itself");
    expect((await local.us("GET", `/webhooks/${id}`)).status).toBe(200);
  });
});
