import { describe, expect, it } from "vitest";
import { failureCode, failedAttempt } from "../../../sdk/src/http/failure";
import type { AttemptResult } from "../../../sdk/src/http/retry";

const coded = (code: string, cause?: unknown) =>
  Object.assign(new Error(code, { cause }), { code });

describe("failureCode", () => {
  it("is the code of the error", () => {
    expect(failureCode(coded("ECONNREFUSED"))).toBe("ECONNREFUSED");
  });

  it("is the code of the nearest cause with a code", () => {
    const cause = coded("EPIPE", coded("ECONNRESET"));
    expect(failureCode(new TypeError("fetch failed", { cause }))).toBe("EPIPE");
  });

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

  it("of several addresses means that nothing was sent if no address was reached", () => {
    const tried = ["ETIMEDOUT", "ENETUNREACH"].map((code) =>
      Object.assign(coded(code), { syscall: "connect" }),
    );
    const error = (errors: Error[]) =>
      new TypeError("fetch failed", { cause: new AggregateError(errors) });
    expect(failedAttempt(error(tried), true)).toEqual(failure("connect", true));
    expect(failedAttempt(error([...tried, coded("EPIPE")]), true)).toEqual(
      failure("sent", true),
    );
  });

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
