import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failureCode, failedAttempt } from "../../../sdk/src/http/failure";
import { decide, DEFAULT_RETRY } from "../../../sdk/src/http/retry";
import { send } from "../../../sdk/src/http/send";
import { CERTIFICATE_FILE } from "../../helpers/tls-front";
import { cellsOf, rowsOf } from "../../helpers/cells-of";
import { freePort, listen } from "../../helpers/listen";

// Every error here is made by real sockets on this machine.

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const TIMEOUTS = {
  connectTimeoutMs: 200,
  headersTimeoutMs: 100,
  bodyTimeoutMs: 100,
};

/** The port of a server that does this with each connection. */
async function listening(
  serve: (socket: Socket) => void,
  make: (serve: (socket: Socket) => void) => Server = createServer,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = make((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    serve(socket);
  });
  const port = await listen(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return port;
}

/** Does something after the request was read. */
const onRequest = (then: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once("data", () => then(socket));
const answering = (text: string, then?: (socket: Socket) => void) =>
  onRequest((socket) => void socket.write(text, () => then?.(socket)));

const tls = (serve: (socket: Socket) => void) =>
  listening(serve, (handler) =>
    createTlsServer(
      {
        cert: readFileSync(CERTIFICATE_FILE),
        key: readFileSync(join(CERTIFICATE_FILE, "../key.pem")),
      },
      handler,
    ).on("tlsClientError", () => undefined),
  );
const http = (port: number) => `http://127.0.0.1:${port}`;
const https = (port: number, host = "127.0.0.1") => `https://${host}:${port}`;

let pools = 0;

/** The origin of a service behind a proxy that does this with each connection. */
async function behind(
  serve: (socket: Socket) => void,
  protocol = "http",
): Promise<string> {
  const proxy = http(await listening(serve));
  for (const name of ["http_proxy", "https_proxy"]) vi.stubEnv(name, proxy);
  return `${protocol}://service.invalid`;
}
const CONNECTED = "HTTP/1.1 200 Connection established\r\n\r\n";

type Serve = (socket: Socket) => void;
const silent: Serve = () => undefined;
const end: Serve = (socket) => void socket.end();
const reset: Serve = (socket) => void socket.resetAndDestroy();

const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));

/** An answer with these headers and this beginning of a body, and what follows it. */
const half = (headers: string, then?: Serve) =>
  answering(`${HEAD}${headers}\r\n\r\n`, then);

/** An answer with a body of nine bytes that is compressed in this way, which it is not. */
const damaged = (encoding: string) =>
  half(
    `content-encoding: ${encoding}\r\ncontent-length: 9`,
    (socket) => void socket.write("not that!"),
  );

/** What a server or a proxy does with each connection. */
const SERVES: Readonly<Record<string, Serve>> = {
  ...{ "is silent": silent, ends: end, "resets a request": onRequest(reset) },
  "ends a request": onRequest(end),
  "answers 200": half(""),
  "answers 502": answering("HTTP/1.1 502 No\r\n\r\n"),
  "answers 403": answering("HTTP/1.1 403 No\r\n\r\n"),
  "answers itself": answering(`${CONNECTED}<p>Log in first.</p>`),
  "speaks SSH": answering("SSH-2.0-x\r\n\r\n"),
  "ends the tunnel": answering(CONNECTED, end),
  "resets the tunnel": answering(CONNECTED, onRequest(reset)),
  "sends no body": half("content-length: 9"),
  "ends in the body": half("content-length: 9", end),
  "resets in the body": half(
    "content-length: 9",
    (socket) => void setTimeout(reset, 20, socket),
  ),
  "sends no end of headers": half(`x: ${"x".repeat(40_000)}`),
  "damages gzip": damaged("gzip"),
  "damages deflate": damaged("deflate"),
  "damages br": damaged("br"),
  "sends a bomb": half(
    `content-encoding: gzip\r\ncontent-length: ${bomb.length}`,
    (socket) => void socket.write(bomb),
  ),
  "sends zstd": half("content-encoding: zstd\r\ncontent-length: 2\r\n\r\n{}"),
};

/** The origin of a service: by whom a connection to it is taken, and what is done with it. */
async function originOf(taker: string, does: string): Promise<string> {
  const serve = SERVES[does || "is silent"] ?? expect.fail(does);
  switch (taker) {
    case "http":
      return http(await listening(serve));
    case "https":
      return https(await tls(serve));
    case "https without TLS":
      return https(await listening(serve));
    case "proxy":
      return behind(serve);
    case "proxy of https":
      return behind(serve, "https");
    case "no proxy":
      vi.stubEnv("http_proxy", http(await freePort()));
      return "http://service.invalid";
    case "nobody":
      return http(await freePort());
    case "nobody at localhost":
      return `http://localhost:${await freePort()}`;
    default:
      return taker;
  }
}

/**
 * Failures before and after the request was sent, which may pass or stay: what happens, the
 * code, who takes the connection, and what is done with it.
 */
const FAILURES = rowsOf(`
connect | may pass
  nobody listens | ECONNREFUSED | nobody
  nobody listens at any address of a name | ECONNREFUSED | nobody at localhost
  TLS never begins | UND_ERR_CONNECT_TIMEOUT | https without TLS | is silent
  an end while TLS begins | ECONNRESET | https without TLS | ends
  a reset while TLS begins | ECONNRESET | https without TLS | resets a request
  a proxy that is not there | ECONNREFUSED | no proxy
  a proxy that reaches nobody | the proxy answered 502 | proxy | answers 502
  a proxy that hangs up | .* | proxy | ends
  a proxy that hangs up when it is asked | .* | proxy | ends a request
  a proxy that resets | ECONNRESET | proxy | resets a request
  a proxy that says nothing | .*TIMEOUT.* | proxy | is silent
  a proxy that answers itself | ECONNRESET | proxy | answers itself
  a proxy that does not speak HTTP | HPE_.*|HTTPParserError | proxy | speaks SSH
  a tunnel that ends while TLS begins | ECONNRESET | proxy of https | ends the tunnel
connect | stays
  a name that does not exist | ENOTFOUND|EAI_AGAIN | http://service.invalid:8080
  http where TLS should be | .*SSL.* | https without TLS | answers 200
  a certificate that nobody trusts | .*SELF_SIGNED.* | https | is silent
  a proxy that refuses | the proxy answered 403 | proxy | answers 403
sent | may pass
  a tunnel that is reset when it is used | .* | proxy | resets the tunnel
  no answer | UND_ERR_SOCKET | http | ends a request
  a reset in place of an answer | ECONNRESET|UND_ERR_SOCKET | http | resets a request
  no answer in time | UND_ERR_HEADERS_TIMEOUT | http | is silent
  no end in time | UND_ERR_BODY_TIMEOUT | http | sends no body
  half an answer | UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH | http | ends in the body
  a reset within the answer | ECONNRESET|UND_ERR_SOCKET | http | resets in the body
  an answer that is not HTTP | HPE_.*|HTTPParserError | http | speaks SSH
  a body that was damaged after it was compressed with gzip | Z_DATA_ERROR | http | damages gzip
  a body that was damaged after it was compressed with deflate | Z_DATA_ERROR | http | damages deflate
  a body that was damaged after it was compressed with br | Z_DATA_ERROR | http | damages br
sent | stays
  headers without end | UND_ERR_HEADERS_OVERFLOW | http | sends no end of headers
  a small compressed body that is too large once it is unpacked | ERR_BUFFER_TOO_LARGE | http | sends a bomb
  a compression that nobody asked for | UNKNOWN_CONTENT_ENCODING | http | sends zstd
`).flatMap(([group = "", ...lines]) => {
  const [[phase, duration] = []] = cellsOf(group);
  return lines
    .flatMap(cellsOf)
    .map(([what = "", code, taker = "", does = ""]) => ({
      ...{ what, phase, transient: duration === "may pass" },
      code: new RegExp(`^(?:${code})$`),
      origin: () => originOf(taker, does),
    }));
});

/**
 * The failure of one attempt to send a create, and whether the request began to be
 * written.
 */
async function failureOf(
  origin: string,
  by: { fetch?: typeof fetch } = {},
): Promise<{ failure: unknown; isSent: boolean }> {
  let isSent = false;
  try {
    const answer = await send(
      { method: "POST", url: new URL(origin), body: {} },
      {
        ...by,
        // Clients with the same timeouts share a pool, so each test has its own
        // timeouts. A pool reads the environment.
        timeouts: { ...TIMEOUTS, attemptTimeoutMs: 5_000 + ++pools },
        onSent: () => (isSent = true),
      },
    );
    throw new Error(`It was answered: ${JSON.stringify(answer)}`);
  } catch (failure) {
    return { failure, isSent };
  }
}

it.each(FAILURES)(
  "each kind of failure has the right result: $what",
  async ({ phase, transient, code, origin }) => {
    const { failure, isSent } = await failureOf(await origin());
    expect(failureCode(failure)).toMatch(code);
    expect(failedAttempt(failure, isSent)).toEqual({
      kind: "failure",
      phase,
      transient,
    });
  },
);

// These failures look like failures after the connection.
const doubtful = /reset while TLS|TLS never|http where TLS/;
it.each(FAILURES.filter(({ what }) => !/proxy|tunnel|compress/.test(what)))(
  "with a given fetch, a failure that may have been sent never counts as unsent: $what",
  async ({ what, phase, origin }) => {
    const fetching: typeof fetch = (url, init) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(500) });
    const { failure } = await failureOf(await origin(), { fetch: fetching });
    const expected = doubtful.test(what) ? "sent" : phase;
    expect(failedAttempt(failure, true)).toMatchObject({ phase: expected });
  },
);

/**
 * Errors nested like those of Node, undici and fetch: each with a code, some with a
 * system call.
 */
const CODES =
  "ECONNREFUSED ECONNRESET ETIMEDOUT ENOTFOUND EPIPE EHOSTUNREACH UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT CERT_HAS_EXPIRED ERR_SSL_BAD_RECORD_TYPE EWHAT";
const CALLS = ["connect", "getaddrinfo", "read", "write", undefined];
const leaf = fc
  .record({
    code: fc.constantFrom(...CODES.split(" ")),
    syscall: fc.constantFrom(...CALLS),
  })
  .map((it) => ({
    error: Object.assign(new Error("failed"), it),
    leaves: [it],
  }));
type Shape = { error: Error; leaves: { code: string; syscall?: string }[] };
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { weight: 3, arbitrary: leaf },
    tie("shape").map(({ error, leaves }) => ({
      error: new TypeError("fetch failed", { cause: error }),
      leaves,
    })),
    fc.array(tie("shape"), { minLength: 1, maxLength: 3 }).map((tried) => ({
      error: new AggregateError(tried.map(({ error }) => error)),
      leaves: tried.flatMap(({ leaves }) => leaves),
    })),
  ),
}));

describe("for any failure,", () => {
  const after = (error: unknown, isSent: boolean, idempotent: boolean) =>
    decide(
      failedAttempt(error, isSent),
      { idempotent, attempt: 1, elapsedMs: 0 },
      DEFAULT_RETRY,
    );

  it("a create that was not sent is never ambiguous, and is repeated like any other call", () => {
    fc.assert(
      fc.property(shape, ({ error }) => {
        expect(after(error, false, false)).not.toBe("ambiguous");
        expect(after(error, false, false)).toBe(after(error, false, true));
      }),
    );
  });

  it("a create that may have been sent is repeated only if every error proves that there was no connection", () => {
    const isUnsent = ({ code, syscall }: Shape["leaves"][0]) =>
      syscall === "connect" ||
      syscall === "getaddrinfo" ||
      /REFUSED|NOTFOUND|CONNECT_TIMEOUT|CERT/.test(code);
    fc.assert(
      fc.property(shape, ({ error, leaves }) => {
        expect(after(error, true, false) === "ambiguous").toBe(
          !leaves.every(isUnsent),
        );
      }),
    );
  });
});
