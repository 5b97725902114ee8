import { expect, it } from "vitest";
import { openForTests } from "../../helpers/open-for-tests.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sendLines } from "../raw-request.js";

const local = openForTests(new LocalWorkspace());

const send = (target: string, ...headers: string[]) =>
  sendLines(local.url, `GET ${target} HTTP/1.1`, ...headers);

const KEY = [
  "Authorization: Bearer local-management-us",
  "X-API-Version: 2025-11-20",
];
const OWN = "Host: 127.0.0.1";

it("a request with two Host headers is refused in any order", async () => {
  for (const hosts of [
    [OWN, "Host: evil.example"],
    ["Host: evil.example", OWN],
    [OWN, OWN],
  ])
    expect(await send("/management/webhooks", ...hosts, ...KEY)).toMatch(
      /^HTTP\/1.1 400 .*"malformed_request".*several headers Host/s,
    );
});

it("a target that is a URL of another host is refused on every surface", async () => {
  for (const path of [
    "/management/webhooks",
    "/_local/requests",
    "/us/v4/events",
    "/",
    "/openapi.json",
    "/none",
  ])
    for (const scheme of ["http", "https", "HTTP", "ftp"])
      for (const host of ["evil.example", "127.0.0.1:1", "x@127.0.0.1"]) {
        const answer = await send(`${scheme}://${host}${path}`, OWN, ...KEY);
        expect(answer, host + path).toMatch(/^HTTP\/1.1 40[04] /);
        expect(answer).not.toMatch(/"data"|<html/);
      }
});

it("a target that is a URL of the service's own host is accepted, and logged by its path", async () => {
  const target = "http://127.0.0.1/management/webhooks?limit=1";
  const answer = await send(target, OWN, ...KEY);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  const log = await local.requests();
  expect(log.at(-1)).toBe("GET /webhooks 200");
});
