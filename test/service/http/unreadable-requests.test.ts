import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { openForTests } from "../../helpers/open-for-tests.js";
import { VERSION_3_DAY } from "../../helpers/version-3-day.js";
import { Answer } from "../answer.js";
import { assertDocumented } from "../documented.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";

const local = openForTests(new LocalWorkspace());
let eventId: string;
beforeEach(async () => {
  await local.controlCall("POST", "/reset");
  await local.controlCall("POST", "/clock", { body: { now: VERSION_3_DAY } });
  const made = await local.controlCall("POST", "/us/events", { body: [{}] });
  eventId = (made.body as { event_id: string }[])[0]?.event_id ?? "";
  await local.controlCall("POST", "/clock", { body: { advance: "1m" } });
});

const SECRET = { authorization: "Bearer local-secret-us" };

/** The credentials for a path. */
function headersFor(path: string): Record<string, string> {
  if (path.startsWith("/management"))
    return {
      authorization: "Bearer local-management-us",
      "x-api-version": "2025-11-20",
    };
  if (path.startsWith("/drn"))
    return { ...SECRET, "x-api-version": "2024-09-01" };
  return path.startsWith("/us/v4")
    ? SECRET
    : { "auth-api-key": "local-secret-us" };
}

/** A call of each surface that accepts a body; `*` stands for a text in it. */
const CALLS = [
  ["management", "POST", "/management/environments", '{"name":"*"}'],
  ["events", "PATCH", "/us/v4/events/{id}", '{"tags":{"a":"*"}}'],
  ["version 3", "PUT", "/us/events/{id}", '{"tag":{"a":"*"}}'],
  [
    "agent",
    "POST",
    "/us/web/v4/local-public-us",
    '{"sdk":{"platform":"js","version":"4.1.5"},"url":"https://shop.example/","signals":{},"tag":{"a":"*"}}',
  ],
  ["control", "POST", "/_local/us/events", '[{"tags":{"a":"*"}}]'],
  [
    "control identify",
    "POST",
    "/_local/identify/us",
    '{"publicKey":"local-public-us","tag":{"a":"*"}}',
  ],
] as const;

/** Sends these bytes, and returns the status and the error's message. */
async function send(
  method: string,
  path: string,
  body?: Uint8Array,
  more: Record<string, string> = {},
): Promise<{ status: number; message: string }> {
  const url = new URL(path.replace("{id}", eventId), local.service.url);
  const response = await fetch(url, {
    method,
    headers: {
      ...headersFor(path),
      ...(body && { "content-type": "application/json" }),
      ...more,
    },
    ...(body && { body: new Uint8Array(body) }),
  });
  const { status, headers } = response;
  const answer = new Answer(status, headers, await response.text());
  if (response.ok) return { status, message: "" };
  await assertDocumented(url, method, undefined, answer);
  const { error } = answer.body as { error: string | { message: string } };
  return { status, message: typeof error === "string" ? error : error.message };
}

const filled = (body: string, bytes: readonly number[]) => {
  const [before = "", after = ""] = body.split("*");
  return Buffer.concat([
    Buffer.from(before),
    Buffer.from(bytes),
    Buffer.from(after),
  ]);
};

describe.each(CALLS)("the body of a call: %s", (_, method, path, body) => {
  // contract: management-24
  it.each([
    ["a byte of no character", [0xff]],
    ["Latin-1", [0x63, 0x61, 0x66, 0xe9]],
    ["half a character", [0xf0, 0x9f, 0x98]],
    ["an overlong form", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
  ])(
    "is refused with %s, which could not be stored unchanged",
    async (_, bytes) => {
      const answer = await send(method, path, filled(body, bytes));
      expect(answer).toMatchObject({
        status: 400,
        message: expect.stringContaining("The body is not UTF-8.") as string,
      });
    },
  );

  it.each(["\\ud800", "\\uDC00", "\\ude00\\ud83d"])(
    "is refused with %s, which is not a whole surrogate pair",
    async (half) => {
      const answer = await send(
        method,
        path,
        Buffer.from(body.replace("*", half)),
      );
      expect(answer).toMatchObject({
        status: 400,
        message: expect.stringContaining("half of a surrogate pair") as string,
      });
    },
  );

  it("is accepted with an escaped surrogate pair", async () => {
    const whole = body.replace("*", "a face \\ud83d\\ude00");
    const { status } = await send(method, path, Buffer.from(whole));
    expect(status).toBeLessThan(300);
  });

  it.each(["gzip", "br", "identity, gzip"])(
    "is refused as compressed with the header %s",
    async (encoding) => {
      const answer = await send(method, path, gzipSync(body), {
        "content-encoding": encoding,
      });
      expect(answer).toEqual({
        status: 415,
        message:
          "The body is compressed (header Content-Encoding). Send it uncompressed, without that header.",
      });
    },
  );

  it("is accepted with any character of Unicode", async () => {
    const { status } = await send(
      method,
      path,
      filled(body, [...Buffer.from("é 💶 \ufffd")]),
    );
    expect(status).toBeLessThan(300);
  });

  // contract: management-24
  it.each(['"__proto__":1', '"\\u005f_proto__":{"x":1}'])(
    "is refused with the member %s, which would be lost",
    async (member) => {
      const changed = body.includes('{"a":')
        ? body.replace('{"a":', `{${member},"a":`)
        : body.replace("{", `{${member},`);
      const deep = body.replace('"*"', `{"deep":[{${member}}]}`);
      for (const text of [changed, deep]) {
        const answer = await send(method, path, Buffer.from(text));
        expect(answer).toMatchObject({
          status: 400,
          message: expect.stringContaining(
            "The body has a member named __proto__",
          ) as string,
        });
      }
    },
  );
});

it("is accepted with members that only look like a prototype", async () => {
  const tags = {
    constructor: { prototype: { a: 1 } },
    toString: "x",
    note: "__proto__",
  };
  await send(
    "PATCH",
    "/us/v4/events/{id}",
    Buffer.from(JSON.stringify({ tags })),
  );
  const answer = await fetch(`${local.service.url}/us/v4/events/${eventId}`, {
    headers: SECRET,
  });
  expect(await answer.json()).toHaveProperty("tags", tags);
});

describe("a URL with escapes that are not UTF-8", () => {
  const paths = [
    "/management/environments?cursor=*",
    "/management/filtering-rules?name=*",
    "/us/v4/events?linked_id=*",
    "/us/v4/events?linked_id=what?*",
    "/us/events/search?limit=1&linked_id=*",
    "/us/visitors/visitor?linked_id=*",
    "/drn/visitor?signals=*",
    "/_local/requests?since=*",
  ];
  it.each(paths)("is refused at %s", async (path) => {
    for (const escape of ["%ff", "%C3", "%zz", "100%"]) {
      const answer = await send("GET", path.replace("*", escape));
      expect([escape, answer.status]).toEqual([escape, 400]);
      expect(answer.message).toContain("not UTF-8");
    }
  });

  it("is refused for an escape in the path, too", async () => {
    for (const path of [
      "/us/v4/events/%ff",
      "/management/api-keys/%C3",
      "/drn/%ff",
    ])
      expect((await send("GET", path)).message).toContain("not UTF-8");
  });
});
