import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { randomKeys } from "../../helpers/keys-file.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.controlCall("POST", "/reset"));

/** Pages of the console about objects that do not exist. */
const ABSENT = [
  "/console/moon",
  "/console/decisions/us/1",
  "/console/events/us/1",
  "/console/deliveries/1",
];

describe("a request to the console", () => {
  const PATHS = [
    "/",
    "/playground/us",
    "/playground/us/rules",
    "/console/visits",
    "/console/console.js",
  ];
  const status = (path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(local.service.url);
      request({ hostname, port, path, headers }, (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      })
        .on("error", reject)
        .end();
    });

  it.each(PATHS)(
    "for %s is refused from pages of other sites",
    async (path) => {
      const requests: Record<string, string>[] = [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://localhost:1" },
        { host: "evil.example" },
        { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
        { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
      ];
      for (const headers of requests)
        expect([headers, await status(path, headers)]).toEqual([headers, 403]);
    },
  );

  it.each(ABSENT)(
    "for %s is refused from pages of other sites",
    async (path) => {
      const headers = { origin: "https://evil.example" };
      expect(await status(path, headers)).toBe(403);
      expect(await status(path, {})).toBe(404);
    },
  );

  it("is accepted from its own pages, and from a link", async () => {
    for (const path of PATHS)
      for (const site of ["same-origin", "none"])
        expect(await status(path, { "sec-fetch-site": site })).toBe(200);
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
    };
    expect(await status("/", link)).toBe(200);
  });

  it("is refused from other sites for control calls, too", async () => {
    const headers = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
    };
    expect(await status("/_local/requests", headers)).toBe(403);
  });
});

describe("a service with a keys file", () => {
  // A colon in the key shows that everything after the user name is the password.
  const keys = { ...randomKeys(), controlKey: "control:key-00001" };
  const { managementKey } = keys.workspaces.us;

  it("requires the control key for the console, as token or as password", async () => {
    const guarded = await LocalWorkspace.start({ keys });
    const look = (authorization?: string) =>
      fetch(guarded.service.url, {
        headers: authorization === undefined ? {} : { authorization },
      });
    const basic = (pair: string) =>
      `Basic ${Buffer.from(pair).toString("base64")}`;
    const refused = await look();
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Basic /);
    expect(await refused.text()).not.toContain("us-");
    for (const path of ABSENT)
      expect((await fetch(`${guarded.service.url}${path}`)).status).toBe(401);
    for (const wrong of [
      `Bearer ${managementKey}`,
      basic(`me:${managementKey}`),
      basic("control:key-00001"),
      basic(""),
      "Basic",
    ])
      expect([wrong, (await look(wrong)).status]).toEqual([wrong, 401]);
    expect((await look(`Bearer ${keys.controlKey}`)).status).toBe(200);
    expect((await look(basic(`me:${keys.controlKey}`))).status).toBe(200);
    await guarded.service.close();
  });
});
