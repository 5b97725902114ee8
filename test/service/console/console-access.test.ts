import { afterEach, describe, expect, it } from "vitest";
import { localForTest } from "../../helpers/local-for-tests.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { randomKeys } from "../../helpers/keys-file.js";
import { sendRaw } from "../raw-request.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.reset());

/** Pages of the console, and whether there are any. */
const PAGES = [
  ["/", 200],
  ["/playground/us/rules", 200],
  ["/console/visits", 200],
  ["/console/console.js", 200],
  ["/console/moon", 404],
  ["/console/decisions/us/1", 404],
  ["/console/events/us/1", 404],
  ["/console/deliveries/1", 404],
] as const;

const status = async (path: string, headers: Record<string, string>) =>
  (await sendRaw(local.url, { path, headers })).status;
const from = (site: string, mode: string) => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
});

it.each([...PAGES, ["/_local/requests", 200] as const])(
  "a request to the console for %s is refused from pages of other sites, else answered with %i",
  async (path, found) => {
    const others: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:1" },
      { host: "evil.example" },
      from("cross-site", "no-cors"),
      from("same-site", "cors"),
    ];
    for (const headers of others)
      expect([headers, await status(path, headers)]).toEqual([headers, 403]);
    for (const headers of [
      {},
      from("same-origin", "cors"),
      from("none", "navigate"),
      // A link on a page of another site.
      from("cross-site", "navigate"),
    ])
      expect(await status(path, headers), JSON.stringify(headers)).toBe(found);
  },
);

describe("a service with a keys file", () => {
  // A colon in the key shows that everything after the user name is the password.
  const keys = { ...randomKeys(), controlKey: "control:key-00001" };
  const { managementKey } = keys.workspaces.us;

  it("requires the control key for the console, as token or as password", async () => {
    const guarded = await localForTest({ keys });
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
    for (const [path] of PAGES)
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
  });
});
