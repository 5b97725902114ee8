import { UnexpectedAnswerError } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of";
import { rejection, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

/** Sets the answer to the next request. */
const answer = (body: unknown, status = 200) =>
  workspace.fault({ match: {}, times: 1, then: { status, body } });

const KEY = { id: "tok_1", name: "server", type: "secret", status: "enabled" };

describe("unexpected parts of an answer are accepted:", () => {
  const keys = () => workspace.client().apiKeys;

  /** What is odd, the fields of an answer, and of what is read from it if they differ. */
  const FIELDS = `
// contract: management-23
an added field | {color: red, deep: {a: [1]}} | {}
// contract: management-65
null for a missing value | {description: null, rate_limit: null, token: null} | {description: null, rateLimit: null, token: null}
// contract: management-71
camelCase | {rateLimit: 5, createdAt: "2030"}
snake_case | {rate_limit: 5, created_at: "2030"} | {rateLimit: 5, createdAt: "2030"}
// contract: management-71
both spellings, of which snake_case wins | {rateLimit: 5, rate_limit: 6} | {rateLimit: 6}
new values of an enumeration | {type: w, status: expired}
a missing field | {}
`;

  it.each(cellsOf(FIELDS))("%s", async (_, given = "", read = given) => {
    const of = (text: string) => ({ ...KEY, ...(parse(text) as object) });
    await answer({ data: of(given), added: true });
    expect(await keys().get("tok_1")).toEqual(of(read));
  });

  const PAGINATION = `
// contract: management-38
in camelCase | {nextCursor: n, prevCursor: p}
// contract: management-38
in snake_case | {next_cursor: n, prev_cursor: p} | {nextCursor: n, prevCursor: p}
in both | {next_cursor: n, nextCursor: x} | {nextCursor: n}
that are null | {next_cursor: null, prevCursor: null} | {}
that are empty | {nextCursor: "", prev_cursor: ""} | {}
with a total | {nextCursor: n, total: 5} | {nextCursor: n}
`;

  it.each(cellsOf(PAGINATION))(
    "pagination %s",
    async (_, given = "", read = given) => {
      const pagination: unknown = parse(given);
      await answer({ data: [KEY], metadata: { pagination } });
      const cursors = parse(read) as object;
      expect(await keys().list()).toEqual({ data: [KEY], ...cursors });
    },
  );

  it.each<[string, object]>([
    ["without metadata", {}],
    ["with null for metadata", { metadata: null }],
    ["with null for pagination", { metadata: { pagination: null } }],
    ["with other metadata", { metadata: { took: 5 } }],
  ])("a list %s is one page", async (_, more) => {
    await answer({ data: [KEY], ...more });
    expect(await keys().list()).toEqual({ data: [KEY] });
  });

  // contract: management-20
  it.each([200, 201, 202])("a create with status %i", async (status) => {
    await answer({ data: { ...KEY, token: "shown-once" } }, status);
    const made = await keys().create({ type: "secret", name: "server" });
    expect(made.token).toBe("shown-once");
  });

  it.each([
    // contract: management-20
    [200, '{"data":{}}'],
    [200, '{"data":null}'],
    [200, '{"data":{"id":"tok_1","color":"red"},"added":true}'],
    [200, ""],
    [202, ""],
    [204, ""],
  ])("a delete with status %i and body %s", async (status, body) => {
    await answer(body, status);
    expect(await keys().delete("tok_1")).toBeUndefined();
  });
});

it.each([
  '{"data":null,"errors":[{"message":"Unauthorized"}]}',
  '{"data":{},"errors":[{"message":"Unauthorized"}]}',
  '{"data":{"deleteKey":null}}',
  '{"data":"<html>"}',
  '{"data":""}',
  '{"data":[]}',
  '{"data":{"id":"tok_2"}}',
])(
  "a delete answered %s is an error, because it may not be done",
  async (body) => {
    await answer(body);
    const deleting = workspace.client().apiKeys.delete("tok_1");
    await expect(deleting).rejects.toThrow(UnexpectedAnswerError);
  },
);

describe("an answer that cannot be read is a named error:", () => {
  it.each<[string, unknown, RegExp]>([
    ["a page of HTML", "<html>", /200 with a body that is not JSON/],
    ["broken JSON", '{"data":', /200 with a body that is not JSON/],
    ["nothing", "", /data/],
    ["no data", {}, /no `data`/],
    ["a list", [], /data/],
    ["data that is null", { data: null }, /object/],
    ["data that is a list", { data: [KEY] }, /object|id/],
    ["no ID", { data: { ...KEY, id: undefined } }, /id/],
    ["an ID that is a number", { data: { ...KEY, id: 5 } }, /id/],
    ["a rate that is text", { data: { ...KEY, rate_limit: "" } }, /rate_limit/],
  ])("%s in place of a record", async (_, body, problem) => {
    await answer(body);
    const error = await rejection(workspace.client().apiKeys.get("tok_1"));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toMatch(/^Reading API key tok_1 was answered /);
    expect(error.message).not.toContain("done");
    expect(error).toMatchObject({
      operation: "Reading API key tok_1",
      problem: expect.stringMatching(problem) as string,
    });
    expect(await workspace.requests()).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ["nothing", ""],
    ["a record", { data: KEY }],
    ["no data", { metadata: {} }],
    ["an item that is not a record", { data: [KEY, null] }],
    ["an item without a name", { data: [{ ...KEY, name: undefined }] }],
    ["metadata that is a list", { data: [], metadata: [] }],
    [
      "a cursor that is a number",
      { data: [], metadata: { pagination: { nextCursor: 5 } } },
    ],
  ])("%s in place of a list", async (_, body) => {
    await answer(body);
    const error = await rejection(workspace.client().apiKeys.list());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).not.toContain("done");
  });

  it.each([301, 302, 307, 308])(
    "a redirect with status %i, also for a delete",
    async (status) => {
      const headers = { location: `${workspace.service.url}/elsewhere` };
      const then = { status, headers };
      const { apiKeys } = workspace.client();
      for (const call of [
        () => apiKeys.delete("tok_1"),
        () => apiKeys.get("tok_1"),
        () => apiKeys.create({ type: "public", name: "abc" }),
      ]) {
        await workspace.fault({ match: {}, times: 1, then });
        const error = await rejection(call());
        expect(error).toBeInstanceOf(UnexpectedAnswerError);
        expect(error.message).toContain(`${status}, a redirect`);
        expect(error.message).not.toMatch(/success|probably/);
      }
      expect(await workspace.requests()).toHaveLength(3);
    },
  );
});
