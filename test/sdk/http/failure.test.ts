import { describe, expect, it } from "vitest";
import { runInNewContext } from "node:vm";
import {
  failureCode,
  failedAttempt,
  isBeforeConnection,
  isTransportFailure,
} from "../../../sdk/src/http/failure";
import type { AttemptResult } from "../../../sdk/src/http/retry";

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

  it("cannot be told from one of the network if a `fetch` throws a TypeError", () => {
    const error = new TypeError("Failed to fetch");
    expect(isTransportFailure(error, true)).toBe(true);
    expect(isTransportFailure(new ReferenceError("x"), true)).toBe(false);
  });
});

describe("failedAttempt", () => {
  const failure = (
    phase: "connect" | "sent",
    transient: boolean,
  ): AttemptResult => ({
    kind: "failure",
    phase,
    transient,
  });

  it.each(["ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "of %s means that nothing was sent, and a retry may help",
    (code) => {
      expect(failedAttempt(coded(code), true)).toEqual(
        failure("connect", true),
      );
    },
  );

  it.each(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"])(
    "of %s means that nothing was sent if the error comes from connecting",
    (code) => {
      const error = Object.assign(coded(code), { syscall: "connect" });
      expect(failedAttempt(error, true)).toEqual(failure("connect", true));
      expect(failedAttempt(coded(code), true)).toEqual(failure("sent", true));
      expect(failedAttempt(coded(code), false)).toEqual(
        failure("connect", true),
      );
    },
  );

  it.each([
    "ENOTFOUND",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ])("of %s means that nothing was sent, and a retry does not help", (code) => {
    expect(failedAttempt(coded(code), true)).toEqual(failure("connect", false));
  });

  it.each([
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "UND_ERR_SOCKET",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "HPE_INVALID_CONSTANT",
    "HTTPParserError",
  ])("of %s means that the service may have read the request", (code) => {
    expect(failedAttempt(coded(code), true)).toEqual(failure("sent", true));
  });

  it.each([
    [403, false],
    [407, false],
    [502, true],
  ])(
    "of a proxy that answers %i means that nothing was sent",
    (status, transient) => {
      const error = Object.assign(
        new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`),
        { code: "UND_ERR_ABORTED" },
      );
      expect(failedAttempt(error, true)).toEqual(failure("connect", transient));
    },
  );

  it("of an unknown error means that the request may have been sent, and a retry does not help", () => {
    expect(failedAttempt(coded("EWHAT"), true)).toEqual(failure("sent", false));
    expect(failedAttempt("text", true)).toEqual(failure("sent", false));
  });
});
