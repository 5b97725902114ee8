import { createServer, type IncomingMessage, type Server } from "node:http";
import { Warehouse } from "@devid/warehouse";
import {
  afterEach,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { columnOf } from "./rows-of";
import { listen } from "../helpers/listen";

// The HTTP calls of the clients. `tools/warehouse` runs them against real engines.

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An answer. Undefined: no answer comes. `"gone"`: the connection breaks. */
type Answer =
  | {
      readonly status?: number;
      readonly type?: string;
      readonly body: string;
    }
  | "gone"
  | undefined;

let server: Server;
let address: string;
let calls: Call[];
let answer: (call: Call) => Answer;

beforeEach(async () => {
  calls = [];
  server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { method = "", url = "", headers } = request;
      const call = { method, url: new URL(url, address), headers, body };
      calls.push(call);
      const found = answer(call);
      if (found === "gone") request.socket.destroy();
      else if (found)
        response
          .writeHead(found.status ?? 200, { "content-type": found.type ?? "" })
          .end(found.body);
    })();
  });
  address = `http://127.0.0.1:${await listen(server)}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const idsOf = (warehouse: Warehouse, signal?: AbortSignal) =>
  columnOf(warehouse, "event_id", signal);

describe("the client of ClickHouse", () => {
  const rows = (...cells: readonly (readonly (string | number)[])[]) => ({
    type: "text/tab-separated-values; charset=UTF-8",
    body: cells.map((row) => `${row.join("\t")}\n`).join(""),
  });
  const described = rows(["event_id", "String"], ["timestamp", "UInt64"]);
  const open = () => Warehouse.open(`clickhouse:${address}?table=fraud.events`);

  it("sends credentials in headers, and limits for the query", async () => {
    vi.stubEnv("CLICKHOUSE_USER", "reader");
    vi.stubEnv("CLICKHOUSE_PASSWORD", "s3cret");
    answer = ({ body }) =>
      body.startsWith("DESCRIBE") ? described : rows(["a"], ["b"]);
    const warehouse = await open();
    expect(await idsOf(warehouse)).toEqual(["a", "b"]);
    await warehouse.close();
    const [, { url, headers, body }] = calls as [Call, Call];
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      readonly: "2",
      max_execution_time: "600",
      max_query_size: "16777216",
      max_ast_elements: "1000000",
    });
    expect(url.href).not.toContain("s3cret");
    expect(headers).toMatchObject({
      "x-clickhouse-user": "reader",
      "x-clickhouse-key": "s3cret",
    });
    expect(body).toContain('FROM "fraud"."events" FORMAT');
  });

  it("ends the query on the server when it is interrupted", async () => {
    const stop = new AbortController();
    answer = ({ body }) => {
      if (body.startsWith("DESCRIBE")) return described;
      if (body.startsWith("KILL")) return { body: "" };
      stop.abort(new Error("interrupted"));
      return undefined;
    };
    const warehouse = await open();
    await expect(idsOf(warehouse, stop.signal)).rejects.toThrow("interrupted");
    await warehouse.close();
    const id = calls[1]?.url.searchParams.get("query_id") ?? "";
    expect(calls.at(-1)?.body).toBe(
      `KILL QUERY WHERE query_id = '${id}' ASYNC`,
    );
  });

  it("names ClickHouse in one sentence if ClickHouse refuses or breaks off", async () => {
    answer = () => ({
      status: 403,
      body: "Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)\nstack",
    });
    await expect(open()).rejects.toThrow(
      /^Reading the events of ClickHouse at http:.* failed: 403 Code: 516.* Check CLICKHOUSE_USER/,
    );
    answer = () => ({ body: "<html>" });
    await expect(open()).rejects.toThrow(/not ClickHouse's protocol/);
    answer = ({ body }) => (body.startsWith("DESCRIBE") ? described : "gone");
    const warehouse = await open();
    await expect(idsOf(warehouse)).rejects.toMatchObject({
      name: "UnreachableError",
    });
    await warehouse.close();
  });
});

describe("the client of Trino", () => {
  const open = () =>
    Warehouse.open(`trino:${address}?catalog=c&schema=s&table=events`);
  const results = (more: object) => ({
    body: JSON.stringify({ id: "q1", stats: {}, ...more }),
  });
  const described = {
    data: [
      ["event_id", "varchar", "", ""],
      ["timestamp", "bigint", "", ""],
    ],
  };

  it("reads all parts of a result, and repeats a call after longer and longer pauses while Trino is busy", async () => {
    vi.stubEnv("TRINO_USER", "reader");
    vi.stubEnv("TRINO_PASSWORD", "s3cret");
    const busyAt: number[] = [];
    const at = (n: number) => busyAt[n] ?? Number.NaN;
    answer = ({ url, body }) => {
      if (body.startsWith("DESCRIBE")) return results(described);
      if (url.pathname === "/v1/statement")
        // Behind a proxy, a coordinator may not know its own address.
        return results({ nextUri: "http://inside.example/v1/q1/1?x=y" });
      if (busyAt.push(performance.now()) < 4) return { status: 503, body: "" };
      return url.pathname === "/v1/q1/1"
        ? results({
            data: [["a"]],
            nextUri: `${address}/v1/q1/2`,
          })
        : results({ data: [["b"]] });
    };
    const warehouse = await open();
    expect(await idsOf(warehouse)).toEqual(["a", "b"]);
    await warehouse.close();
    // A timer may end a millisecond early, and any time late.
    for (const n of [1, 2, 3])
      expect(at(n) - at(n - 1)).toBeGreaterThan(n * 100 - 2);
    expect(calls[1]?.headers).toMatchObject({
      "x-trino-user": "reader",
      authorization: `Basic ${Buffer.from("reader:s3cret").toString("base64")}`,
      "x-trino-session": "query_max_run_time=600s",
    });
  });

  it("ends the query on the server when it is interrupted", async () => {
    const stop = new AbortController();
    answer = ({ method, url, body }) => {
      if (body.startsWith("DESCRIBE")) return results(described);
      if (method === "DELETE") return { status: 204, body: "" };
      if (url.pathname === "/v1/statement")
        return results({ nextUri: `${address}/v1/q1/1` });
      stop.abort(new Error("interrupted"));
      return undefined;
    };
    const warehouse = await open();
    await expect(idsOf(warehouse, stop.signal)).rejects.toThrow("interrupted");
    await warehouse.close();
    expect(calls.at(-1)).toMatchObject({ method: "DELETE" });
  });

  it("names Trino in one sentence if Trino refuses or is another server", async () => {
    answer = () =>
      results({ error: { errorName: "TABLE_NOT_FOUND", message: "no such" } });
    await expect(open()).rejects.toThrow(
      /^Reading the events of Trino at .* failed: TABLE_NOT_FOUND: no such/,
    );
    answer = () =>
      results({
        error: { errorName: "QUERY_TEXT_TOO_LARGE", message: "long" },
      });
    await expect(open()).rejects.toThrow(/query\.max-length/);
    answer = () => ({ body: "<html>" });
    await expect(open()).rejects.toThrow(/not Trino's protocol/);
    answer = () => results({ nextUri: "nowhere" });
    await expect(open()).rejects.toThrow(/not Trino's protocol/);
  });
});

it.each(["clickhouse", "trino"])(
  "a query of %s ends two seconds after its limit if the server says nothing",
  async (kind) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    answer = ({ body }) => (body.startsWith("KILL") ? { body: "" } : undefined);
    const place = kind === "trino" ? "catalog=c&schema=s&" : "";
    const opened = expect(
      Warehouse.open(`${kind}:${address}?${place}table=events`),
    ).rejects.toThrow(/took longer than 600 s\. Allow more time/);
    await expect.poll(() => calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(602_000);
    await opened;
  },
);

describe.each(["clickhouse", "trino"])("an answer to %s", (kind) => {
  const place = kind === "trino" ? "catalog=c&schema=s&" : "";
  const open = () => Warehouse.open(`${kind}:${address}?${place}table=events`);

  it.each([
    [200, ""],
    [403, ""],
    [418, ""],
    [500, "Code: 516. DB::Exception: "],
    [200, '{"id":"q1","error":{"message":"'],
  ])("never shows the password again: %i %s", async (status, begin) => {
    for (const name of ["CLICKHOUSE", "TRINO"]) {
      vi.stubEnv(`${name}_USER`, "reader");
      vi.stubEnv(`${name}_PASSWORD`, "s3cret-canary");
    }
    answer = ({ headers }) => {
      // Behind so much, a cut to the length of a message could leave a part of the password.
      const sent = `${"x".repeat(180)} ${JSON.stringify(headers)}`;
      const end = begin.startsWith("{")
        ? `${sent.replaceAll('"', "'")}"}}`
        : sent;
      return { status, body: begin + end };
    };
    const error = await open().catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "WarehouseQueryError" });
    expect(String(error)).not.toMatch(/s3cr|cmVhZGVyOnMzY3/);
  });

  it.each([204, 302, 308, 400, 404, 407, 413])(
    "is told as another server's, with the way out: %i",
    async (status) => {
      answer = () => ({ status, body: "" });
      await expect(open()).rejects.toThrow(
        /it answered \d+ "", which is not \w+'s protocol\. Check the address\.$/,
      );
    },
  );
});

it.each([
  ["clickhouse:http://ch.example?table=t", /not encrypted/],
  ["clickhouse:https://u:p@ch.example?table=t", /CLICKHOUSE_PASSWORD/],
  ["clickhouse:https://ch.example", /Which table/],
  ["trino:https://t.example?table=t&schema=s", /Which catalog/],
  [
    "clickhouse:https://ch.example?table=t&database=d",
    /the parameter database, .* Give table=NAME\./,
  ],
])("the source of a warehouse %s is refused", async (source, why) => {
  const refused = Warehouse.open(source);
  await expect(refused).rejects.toThrow(why);
  await expect(refused).rejects.not.toThrow(/u:p/);
});

describe("a setting that cannot be used", () => {
  const CLICKHOUSE = "clickhouse:https://db.invalid/?table=ev";
  const TRINO = "trino:https://db.invalid/?catalog=c&schema=s&table=ev";

  it.each([
    [CLICKHOUSE, "CLICKHOUSE_USER", "a–b"],
    [CLICKHOUSE, "CLICKHOUSE_USER", "müller"],
    [CLICKHOUSE, "CLICKHOUSE_PASSWORD", "“canary-secret”"],
    [CLICKHOUSE, "CLICKHOUSE_PASSWORD", "canary-secret\n"],
    [TRINO, "TRINO_USER", "a–b"],
    [CLICKHOUSE, "HTTPS_PROXY", "127.0.0.1:9"],
    [TRINO, "HTTPS_PROXY", "localhost:9"],
    [CLICKHOUSE, "https_proxy", "http://u:canary-secret#1@proxy.invalid:9"],
    [TRINO, "HTTP_PROXY", "http://u:canary-secret/1@proxy.invalid:9"],
  ])(
    "of %s is named before the first call: %s=%s",
    async (from, name, value) => {
      vi.stubEnv(name, value);
      const opened = Warehouse.open(from);
      await expect(opened).rejects.toMatchObject({
        name:
          name.endsWith("PROXY") || name.endsWith("proxy")
            ? "ConfigurationError"
            : "EventSourceError",
        message: expect.stringContaining(name) as string,
      });
      await expect(opened).rejects.toThrow(/cannot be used: its /);
      await expect(opened).rejects.not.toThrow(/canary/);
    },
  );

  it("is no error if the proxy is not used: loopback goes without one, and so does a host of NO_PROXY", async () => {
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY"])
      vi.stubEnv(name, "127.0.0.1:9");
    answer = () => ({ status: 500, body: "Code: 60" });
    await expect(
      Warehouse.open(`clickhouse:${address}?table=ev`),
    ).rejects.toMatchObject({ name: "WarehouseQueryError" });
    vi.stubEnv("NO_PROXY", "db.invalid");
    await expect(Warehouse.open(CLICKHOUSE)).rejects.toMatchObject({
      name: "UnreachableError",
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    });
  });

  it.each([
    ["hangs up", "", "ECONNRESET"],
    ["refuses", "HTTP/1.1 407 No\r\n\r\n", "the proxy answered 407"],
  ])(
    "is no endless call, and is named, if the proxy %s",
    async (_, said, code) => {
      server.on("connect", (_, socket) => socket.end(said));
      vi.stubEnv("HTTPS_PROXY", address);
      await expect(Warehouse.open(CLICKHOUSE)).rejects.toMatchObject({
        ...{ name: "UnreachableError", code },
        message: expect.stringContaining(`(${code})`) as string,
      });
    },
  );

  it("of Trino is also a part of the address", async () => {
    await expect(Warehouse.open(TRINO.replace("=c&", "=c–d&"))).rejects.toThrow(
      /^catalog of the address cannot be used/,
    );
  });
});
