import { beforeEach, expect, it, vi } from "vitest";
import { postIdentification } from "../../../service/agent/post-identification";
import {
  json,
  serverForTest,
  type PlainServer,
} from "../../sdk/http/plain-server";

/** The members of a page that a request needs. */
class Page extends EventTarget {
  readonly visibilityState = "visible";
}

let hanging: PlainServer;
let answering: PlainServer;
beforeEach(async () => {
  vi.stubGlobal("document", new Page());
  hanging = await serverForTest(() => undefined);
  answering = await serverForTest((_, response) =>
    json(response, 200, { event_id: "e1", visitor_id: "v1", storage_id: "s1" }),
  );
});

const post = (addresses: string[], timeoutMs: number) =>
  postIdentification(addresses, { body: "{}", hidesAddress: false, timeoutMs });

it("an address that hangs leaves time for the next addresses", async () => {
  const { url } = hanging;
  const answer = await post([`${url}/1`, `${url}/2`, answering.url], 3_000);
  expect(answer).toMatchObject({ event_id: "e1" });
  expect(hanging.received.map(({ path }) => path)).toEqual(["/1", "/2"]);
});

it("all addresses together share the time", async () => {
  const { url } = hanging;
  const call = post([`${url}/1`, `${url}/2`, `${url}/3`], 1_500);
  await expect(call).rejects.toMatchObject({
    code: "client_timeout",
    message: expect.stringContaining(`${url}/3 failed: no answer`) as string,
  });
  expect(hanging.received).toHaveLength(3);
});

it("time that an address does not use is left for the next addresses", async () => {
  await answering.close();
  const late = await serverForTest((_, response) => {
    const answer = { event_id: "e2", visitor_id: "v1", storage_id: "s1" };
    setTimeout(() => json(response, 200, answer), 1_300);
  });
  const answer = await post([answering.url, late.url], 2_400);
  expect(answer).toMatchObject({ event_id: "e2" });
});
