import { describe, expect, it } from "vitest";
import { runInNewContext } from "node:vm";
import { UnreachableError } from "../../../sdk/src/http/errors";
import {
  failureCode,
  failedAttempt,
  isBeforeConnection,
  isTransportFailure,
} from "../../../sdk/src/http/failure";

const coded = (code: string, cause?: unknown) =>
  Object.assign(new Error(code, { cause }), { code });

describe("failureCode", () => {
  it("is the code of the first address that was tried", () => {
    const tried = [coded("EHOSTUNREACH"), coded("ECONNREFUSED")];
    const error = Object.assign(new AggregateError(tried), { code: "OTHER" });
    expect(failureCode(error)).toBe("EHOSTUNREACH");
    expect(failureCode(new Error("outer", { cause: error }))).toBe(
      "EHOSTUNREACH",
    );
  });

  it("is the name of an error without a code", () => {
    expect(failureCode(new RangeError("no"))).toBe("RangeError");
    expect(failureCode(Object.assign(new Error("no"), { code: 7 }))).toBe(
      "Error",
    );
    expect(failureCode("text")).toBe("unknown failure");
  });
});

it.each([
  ["CERT_HAS_EXPIRED", /not valid at this time/],
  ["CERT_NOT_YET_VALID", /not valid at this time/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /for another host/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /NODE_EXTRA_CA_CERTS/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /NODE_EXTRA_CA_CERTS/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /NODE_EXTRA_CA_CERTS/],
  ["ERR_SSL_WRONG_VERSION_NUMBER", /may speak http/],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", /certificate of the client/],
  ["EPROTO", /No TLS was agreed on/],
  ["ECONNREFUSED", /the proxy if HTTPS_PROXY names one/],
])("a failure %s says what to do: %s", (code, advice) => {
  const { message } = new UnreachableError("Reading", "https://a", code, 1);
  expect(message).toMatch(advice);
});

it("errors of another realm, as Node's are in Jest, are read like ours", () => {
  const made = (code: string) => runInNewContext(code) as unknown;
  const refused = `Object.assign(new Error("x"), { code: "ECONNREFUSED" })`;
  for (const code of [
    refused,
    `new TypeError("fetch failed", { cause: ${refused} })`,
    `new AggregateError([${refused}, ${refused}])`,
  ]) {
    expect(failureCode(made(code))).toBe("ECONNREFUSED");
    expect(isBeforeConnection(made(code))).toBe(true);
    expect(isTransportFailure(made(code), false)).toBe(true);
  }
});

describe("an error of the program or of a setting", () => {
  const named = (name: string) => Object.assign(new Error("x"), { name });
  it.each([
    ["a module that cannot be loaded", coded("MODULE_NOT_FOUND")],
    [
      "an import that the context lacks",
      coded("ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG"),
    ],
    ["an address that is none", coded("ERR_INVALID_URL")],
    ["a header that cannot be sent", coded("UND_ERR_INVALID_ARG")],
    ["a function that is not there", new TypeError("x is not a function")],
    ["a name that is not there", new ReferenceError("x is not defined")],
    [
      "a require in an ES module",
      new Error('Dynamic require of "node:assert" is not supported'),
    ],
    ["no error at all", "text"],
  ])("is not told as one of the network: %s", (_, error) => {
    expect(isTransportFailure(error, false)).toBe(false);
  });

  it.each([
    coded("ECONNRESET"),
    coded("UND_ERR_SOCKET"),
    coded("ERR_TLS_CERT_ALTNAME_INVALID"),
    coded("ERR_SSL_WRONG_VERSION_NUMBER"),
    coded("ERR_BUFFER_TOO_LARGE"),
    coded("Z_DATA_ERROR"),
    coded("HPE_INVALID_CONSTANT"),
    new Error("Proxy response (407) !== 200 when HTTP Tunneling"),
    named("TimeoutError"),
    new TypeError("fetch failed", { cause: coded("ENOTFOUND") }),
  ])("is told from one of the network: %s", (error) => {
    expect(isTransportFailure(error, false)).toBe(true);
  });

  it("of the network may be a TypeError without a code, if a `fetch` throws it", () => {
    const error = new TypeError("Failed to fetch");
    expect(isTransportFailure(error, true)).toBe(true);
    expect(isTransportFailure(new ReferenceError("x"), true)).toBe(false);
  });

  it.each([
    new TypeError("Cannot read properties of undefined (reading 'x')"),
    new TypeError('Headers.append: "x" is an invalid header value.'),
    new Error("the proxy of the program is not set up"),
    "text",
  ])("is told from one of the network in a `fetch`: %s", (error) => {
    expect(isTransportFailure(error, true)).toBe(false);
  });
});

// Others are in real-failures.test.ts, made by real sockets.
it.each<[codes: string, phase: "connect" | "sent", transient: boolean]>([
  ["ECONNREFUSED EAI_AGAIN UND_ERR_CONNECT_TIMEOUT", "connect", true],
  [
    "ENOTFOUND CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID",
    "connect",
    false,
  ],
  [
    "EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ETIMEDOUT ECONNRESET EPIPE HTTPParserError HPE_INVALID_CONSTANT UND_ERR_SOCKET",
    "sent",
    true,
  ],
  ["EWHAT", "sent", false],
])(
  "%s: the attempt ended as %s, and may pass: %s",
  (codes, phase, transient) => {
    for (const code of codes.split(" ")) {
      const failure = { kind: "failure", phase, transient };
      expect(failedAttempt(coded(code), true), code).toEqual(failure);
      const before = Object.assign(coded(code), { syscall: "connect" });
      for (const unsent of [
        failedAttempt(before, true),
        failedAttempt(coded(code), false),
      ])
        expect(unsent, code).toEqual({ ...failure, phase: "connect" });
    }
  },
);
