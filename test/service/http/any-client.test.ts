import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { localForTest, localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

/** Sends these lines unchanged, and returns all that comes back. */
async function send(url: string | undefined, ...lines: string[]) {
  const { port } = new URL(String(url));
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return text(socket);
}

const HOST = "Host: 127.0.0.1";

// Tools that wait for a server, such as wait-on and `wget --spider`, send HEAD.
it.each(["/", "/openapi.json", "/console/console.css", "/playground/us/rules"])(
  "HEAD of %s is answered as GET, without the body",
  async (path) => {
    const url = local.service.url + path;
    const [head, get] = [
      await fetch(url, { method: "HEAD" }),
      await fetch(url),
    ];
    for (const name of ["content-type", "content-length"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(await get.text()).not.toBe("");
  },
);

it("an ID of any length in a path is answered by its operation", async () => {
  interface Documented {
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  }
  const response = await fetch(`${local.service.url}/openapi.json`);
  const { paths } = (await response.json()) as Documented;
  const headers = {
    authorization: "Bearer local-management-us",
    "x-api-version": "2025-11-20",
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method, path] as const),
  );
  const withId = calls.filter(([, path]) => /\{(?!region)/.test(path));
  expect(withId.length).toBeGreaterThan(20);
  for (const [method, path] of withId) {
    const answerTo = async (length: number) => {
      const id = "a".repeat(length);
      const asked = path.replace("{region}", "us").replace(/\{\w+\}/, id);
      const answer = await fetch(local.service.url + asked, {
        method: method.toUpperCase(),
        headers: { ...headers, "auth-api-key": "local-secret-us" },
      });
      const body = await answer.text();
      return [method, path, answer.status, body.replaceAll(id, "ID")];
    };
    const plain = (answer: readonly (string | number)[]) =>
      answer.map((part) => String(part).replace(/\d+\.\w{6}/, "EVENT"));
    expect(plain(await answerTo(5_000))).toEqual(plain(await answerTo(90)));
  }
});

it("a public key of any length identifies", async () => {
  const keysOf = (region: string) => ({
    managementKey: `management-of-${region}`,
    secretKey: `the-secret-of-${region}`,
    publicKey: region.repeat(100),
  });
  const keys = {
    workspaces: { us: keysOf("us"), eu: keysOf("eu"), ap: keysOf("ap") },
    controlKey: "the-key-of-control",
  };
  const { service } = await localForTest({ keys });
  const url = `${service.url}/us/web/v4/${keys.workspaces.us.publicKey}`;
  expect((await fetch(url)).status).toBe(200);
});

describe("a request that Node does not take", () => {
  it.each([
    ["a URL", `GET /us/v4/events?linked_id=${"a".repeat(17_000)} HTTP/1.1`],
    ["a header", "GET / HTTP/1.1", `X-Long: ${"a".repeat(17_000)}`],
  ])("says that %s is too long, on each port", async (_, ...lines) => {
    const { service } = await localForTest({ surfaces: "separate" });
    const { us, management } = service.surfaces ?? {};
    for (const url of [service.url, us, management])
      expect(await send(url, ...lines, HOST)).toMatch(
        /^HTTP\/1.1 431 .*"malformed_request".*longer than 16 KB/s,
      );
  });
});

it("a port of its own keeps a connection as long as the main port", async () => {
  const { service } = await localForTest({ surfaces: "separate" });
  const kept = async (url: string | undefined) =>
    (await fetch(`${url}/v4/events`)).headers.get("keep-alive");
  expect(await kept(service.surfaces?.us)).toBe(await kept(service.url));
});
