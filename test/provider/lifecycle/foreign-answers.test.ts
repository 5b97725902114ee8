import { describe, expect, it } from "vitest";
import type { Kind } from "../../helpers/provider-host";
import { HostedResource } from "../../helpers/hosted-resource";
import { hostForTests } from "../host-for-tests";
import { ANSWERS, KINDS, LIFE } from "../kind-rows";

const { workspace, host } = hostForTests();

interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const page = (body: string): Body => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
});
const text = (body: string): Body => ({
  headers: { "content-type": "application/json" },
  body,
});
const json = (value: unknown) => text(JSON.stringify(value));

const LOGIN = "<html><title>Log in</title></html>";
const FOREIGN_ERROR = { code: "ResourceNotFound", message: "No such route" };
const UNAUTHORIZED = [{ message: "Unauthorized" }];

/** What a gateway, a proxy or another service may answer in place of the service. */
const BODIES: Readonly<Record<string, (kind: Kind) => Body>> = {
  "an HTML page": () => page(LOGIN),
  "no body": () => ({ headers: {}, body: "" }),
  "JSON of somebody else": () =>
    json({ message: "no Route matched with those values" }),
  "an error that is only a text": () => json({ error: "Not Found" }),
  "the service's error as a page": () =>
    page(JSON.stringify({ error: { code: "not_found", message: "No" } })),
  "an array": () => json([]),
  "a truncated error": () => text('{"error":{"code":"not_found","mess'),
  "another object": (kind) =>
    json({ data: { ...ANSWERS[kind].least, id: "other" } }),
  "a record among the data of somebody else": (kind) =>
    json({ data: { result: ANSWERS[kind].least }, errors: UNAUTHORIZED }),
  "null with the errors of somebody else": () =>
    json({ data: null, errors: UNAUTHORIZED }),
  "empty data with the errors of somebody else": () =>
    json({ data: {}, errors: UNAUTHORIZED }),
  "a page as the data": () => json({ data: LOGIN }),
  "an error with a requestId beside it": () =>
    json({ error: FOREIGN_ERROR, requestId: "r-1" }),
  "an error with a status in it": () =>
    json({ error: { ...FOREIGN_ERROR, status: 404 } }),
  "an error in the service's form": () => json({ error: FOREIGN_ERROR }),
};

/** 429 and 5xx are repeated, and test/sdk/http/retries.test.ts has them. */
const STATUSES = [200, 403, 404, 409];

/** Whether an answer cannot be told from the service's own. */
const isLikeOwn = (operation: string, status: number, body: string) =>
  status === 200 &&
  // The answer to a delete has no body (docs/assumptions.md, A2).
  ((operation === "delete" && body === "no body") ||
    // A create knows no ID that its answer could be compared with.
    (operation === "create" && body === "another object"));

const OPERATIONS = ["read", "update", "delete", "create"] as const;

/** No server listens there. */
const NOBODY = "http://127.0.0.1:9/a";

/** An encryption key stays in the workspace, and a webhook stays verified. */
const WITHOUT_CALL: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  EncryptionKey: ["delete"],
  WebhookVerification: ["update", "delete"],
};

const ANSWERED = STATUSES.flatMap((status) =>
  Object.keys(BODIES).map((body) => [status, body] as const),
);

/** Runs work while every call of the management API has this answer. */
async function answering(
  kind: Kind,
  status: number,
  name: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const body = BODIES[name]?.(kind);
  await workspace.fault({
    match: { surface: "management" },
    then: { status, ...body },
  });
  try {
    return await work().then(
      () => "succeeded",
      (error: unknown) => error,
    );
  } finally {
    await workspace.forgetFaults();
  }
}

describe.each(KINDS)("%s: an answer that is not the service's own", (kind) => {
  it.each(OPERATIONS.filter((one) => !WITHOUT_CALL[kind]?.includes(one)))(
    "makes a %s fail, and changes nothing",
    async (operation) => {
      const body = { url: NOBODY, verified: true };
      const hook = await workspace.control("/us/webhooks", body);
      const { id: webhook } = hook as { id: string };
      const place = { url: NOBODY, webhook };
      const [first, next] = LIFE[kind](place);
      const resource = new HostedResource(host, kind);
      if (operation !== "create") await resource.up(first);
      const { id, state } = resource;
      const objects = await workspace.contents();
      const operations = {
        read: () => resource.refresh(),
        update: () => host.update(kind, id, state, { ...first, ...next }),
        delete: () => host.delete(kind, id, state),
        create: () => resource.up(first),
      };
      for (const [status, body] of ANSWERED) {
        if (isLikeOwn(operation, status, body)) continue;
        const answer = `${status} with ${body}`;
        const result = await answering(
          kind,
          status,
          body,
          operations[operation],
        );
        expect(result, answer).toBeInstanceOf(Error);
        expect(resource, answer).toMatchObject({ id, state });
      }
      expect(await workspace.contents()).toEqual(objects);
      if (operation === "create") return;
      expect(await resource.refresh()).toBe(true);
      await resource.destroy();
    },
    60_000,
  );
});
