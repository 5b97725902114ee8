import { expect, it } from "vitest";
import { localForTest, localForTests } from "../../helpers/local-for-tests.js";
import { randomKeys } from "../../helpers/keys-file.js";
import { sendLines } from "../raw-request.js";

const local = localForTests();

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

it("a public key of any length identifies", async () => {
  const keys = randomKeys();
  const us = { ...keys.workspaces.us, publicKey: "us".repeat(100) };
  const workspaces = { ...keys.workspaces, us };
  const { service } = await localForTest({ keys: { ...keys, workspaces } });
  const url = `${service.url}/us/web/v4/${us.publicKey}`;
  expect((await fetch(url)).status).toBe(200);
});

it.each([
  ["a URL", `GET /us/v4/events?linked_id=${"a".repeat(17_000)} HTTP/1.1`],
  ["a header", "GET / HTTP/1.1", `X-Long: ${"a".repeat(17_000)}`],
])(
  "a request that Node does not take says that %s is too long, on each port",
  async (_, ...lines) => {
    const { service } = await localForTest({ surfaces: "separate" });
    const { us, management } = service.surfaces ?? {};
    for (const url of [service.url, us, management])
      expect(await sendLines(url, ...lines, HOST)).toMatch(
        /^HTTP\/1.1 431 .*"malformed_request".*longer than 16 KB/s,
      );
  },
);

it("a port of its own keeps a connection as long as the main port", async () => {
  const { service } = await localForTest({ surfaces: "separate" });
  const kept = async (url: string | undefined) =>
    (await fetch(`${url}/v4/events`)).headers.get("keep-alive");
  expect(await kept(service.surfaces?.us)).toBe(await kept(service.url));
});
