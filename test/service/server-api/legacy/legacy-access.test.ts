import { beforeEach, describe, expect, it } from "vitest";
import { FULL_EVENT, NOW, sendLegacy } from "./legacy-calls.js";
import { localForTests } from "../../../helpers/local-for-tests.js";
import { sender } from "../../sender.js";

const local = localForTests({}, NOW);
const us = sendLegacy(local);
const bare = sender(() => [`${local.url}/us`, {}]);
beforeEach(() => local.control("/us/events", [FULL_EVENT]));

const EVENT = `/events/${FULL_EVENT.event_id}`;
const SEARCH = "/events/search?limit=1";
const VISITS = "/visitors/visitor-1";

describe("a key of version 3", () => {
  // contract: legacy-2, legacy-9, legacy-10, legacy-11
  it.each([EVENT, SEARCH, VISITS])(
    "opens %s in three places of the request",
    async (path) => {
      const { secretKey } = local.service.workspaces.us;
      const mark = path.includes("?") ? "&" : "?";
      expect((await us("GET", path)).status).toBe(200);
      for (const name of ["apiKey", "api_key"]) {
        const query = `${path}${mark}${name}=${secretKey}`;
        expect((await bare("GET", query)).status).toBe(200);
        const headers = { "auth-api-key": "nobody" };
        expect((await bare("GET", query, { headers })).status).toBe(403);
      }
    },
  );

  it("of an environment sees its events only", async () => {
    const { environment } = local.service.workspaces.us;
    const other = await local.newEnvironment();
    const sending = async (environment: string) =>
      sendLegacy(local, "us", (await local.newKey({ environment })).token);
    const seeing = await sending(environment);
    const blind = await sending(other);
    for (const path of [EVENT, SEARCH, VISITS])
      expect((await seeing("GET", path)).status).toBe(200);
    const body = { suspect: true };
    for (const answer of [
      await blind("GET", EVENT),
      await blind("PUT", EVENT, { body }),
    ])
      expect(answer.refusal).toEqual([404, "RequestNotFound"]);
    expect((await blind("GET", SEARCH)).body).toEqual({ events: [] });
    expect((await blind("GET", VISITS)).status).toBe(404);
  });
});
