import {
  ConflictError,
  DevidError,
  ForbiddenError,
  NotFoundError,
  REDACTED,
  ServerError,
  ServiceError,
  ThrottledError,
  UnauthorizedError,
  ValidationError,
} from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of";
import { answerError } from "../../../sdk/src/http/answer-error";
import type { ErrorFor } from "../../../sdk/src/http/errors";

const error = (
  status: number,
  body: unknown,
  errorFor?: ErrorFor,
  redact = (text: string) => text,
) =>
  answerError(
    "Reading webhook wh_1",
    { status, text: typeof body === "string" ? body : JSON.stringify(body) },
    redact,
    errorFor,
  );

it.each([
  // contract: management-16
  [400, ValidationError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  // contract: management-19
  [404, NotFoundError],
  // contract: management-19
  [409, ConflictError],
  // contract: management-16
  [418, ServiceError],
  [422, ValidationError],
  [429, ThrottledError],
  [500, ServerError],
  [501, ServerError],
  // contract: management-19
  [503, ServerError],
])("the error for the status %i has its own class", (status, type) => {
  const made = error(status, { error: { code: "c", message: "m" } });
  expect(made).toBeInstanceOf(type);
  expect(made).toBeInstanceOf(ServiceError);
  expect(made).toBeInstanceOf(DevidError);
  expect(made.constructor).toBe(type);
  expect(made.name).toBe(type.name);
  expect(made).toMatchObject({
    operation: "Reading webhook wh_1",
    status,
    code: "c",
    detail: "m",
    message: expect.toSay(
      status === 429 ? "answer/throttled" : "answer/refused",
      { status: String(status) },
    ),
  });
});

it("an error may get a narrower class from the answer's code", () => {
  const body = { error: { code: "c", message: "m" } };
  const narrower = error(418, body, (details) =>
    details.code === "c" ? new ConflictError(details) : undefined,
  );
  expect(narrower).toBeInstanceOf(ConflictError);
  expect(narrower).toMatchObject({ status: 418, code: "c", detail: "m" });
  expect(error(404, body, () => undefined)).toBeInstanceOf(NotFoundError);
});

describe("a 404 that the service did not send", () => {
  /** What is answered: a text, or an object that is sent as JSON, and its type if it has one. */
  const BODIES = `
a page | <html>not found</html>
no body
the error of another service | {message: no Route matched}
a text as its error | {error: Not Found}
an error without a code | {error: {message: No}}
a member beside the error | {error: {code: ResourceNotFound, message: No}, requestId: r}
an added member of the error | {error: {code: ResourceNotFound, message: No, status: 404}}
a page with the service's words | {error: {code: not_found, message: No}} | text/html
`;

  it.each(cellsOf(BODIES))("says nothing about the object: %s", (...row) => {
    const [, body = "", type] = row;
    const text = body.startsWith("{") ? JSON.stringify(parse(body)) : body;
    const headers: Record<string, string> = type
      ? { "content-type": type }
      : {};
    const made = answerError(
      "Reading webhook wh_1",
      { status: 404, text, headers },
      (part) => part,
    );
    expect(made.constructor).toBe(ServiceError);
    expect(made.message).toContain("does not show whether the object exists.");
  });

  it.each([400, 401, 403, 409])(
    "is told as perhaps of a gateway: %i with a page",
    (status) => {
      const page = error(status, "<html>Blocked</html>");
      expect(page.isForeign).toBe(true);
      expect(page.message).toContain("it may come from a proxy or gateway");
      const own = { error: { code: "refused", message: "No" } };
      expect(error(status, own).isForeign).toBe(false);
    },
  );

  it("is told as perhaps of a gateway if it is longer than any error of the service", () => {
    const body = { error: { code: "c", message: "x".repeat(20_000_000) } };
    const made = error(400, body, undefined, () => {
      throw new Error("It was read.");
    });
    expect(made).toMatchObject({ isForeign: true, detail: "Bad Request" });
  });

  it("has no narrower class either", () => {
    const missing: ErrorFor = (details) => new ConflictError(details);
    expect(error(404, "<html>", missing).constructor).toBe(ServiceError);
    expect(error(404, { error: "no visitor" }, missing).constructor).toBe(
      ConflictError,
    );
  });
});

describe("the message of an error", () => {
  it.each([429, 503])("says the pause of Retry-After after %i", (status) => {
    const answer = { status, text: "", retryAfterMs: 3_600_000 };
    const { message } = answerError("Reading", answer, (text) => text);
    expect(message).toContain(", after 3600 s.");
  });

  it("ends with one full stop, and then the hint", () => {
    const message = (text: string) =>
      error(
        404,
        { error: { message: text } },
        (details) => new NotFoundError({ ...details, hint: "Look again." }),
      ).message;
    const start = "Reading webhook wh_1 failed: 404: ";
    expect(message("Gone")).toBe(`${start}Gone. Look again.`);
    expect(message("Gone.")).toBe(`${start}Gone. Look again.`);
    expect(message("Gone?")).toBe(`${start}Gone? Look again.`);
  });

  it.each([
    ["a page", "<html>Bad gateway</html>"],
    ["nothing", ""],
    ["another shape", { message: "no" }],
    ["a list for an error", { error: ["no"] }],
    ["null", "null"],
  ])("has the status text if the body is %s", (_, body) => {
    expect(error(502, body).message).toSay("answer/status-text");
  });

  it("is made even if a body has null for missing members", () => {
    const made = error(400, {
      error: { code: null, message: null, violations: null, more: 1 },
    });
    expect(made).toMatchObject({ code: undefined, violations: [] });
    expect(made.message).toContain("400: Bad Request.");
  });

  it("has the text of a body that is only a text", () => {
    expect(error(400, { error: "no visitor" }).message).toSay(
      "answer/plain-text",
    );
  });

  it("contains no secret, not even with escapes", () => {
    const redact = (text: string) => text.replaceAll("s3c/ret", REDACTED);
    const made = error(
      400,
      '{"error":{"code":"s3c/ret","message":"s3c\\/ret s3\\u0063/ret","violations":[{"property":"s3c\\/ret","message":"s3c/ret"}]}}',
      undefined,
      redact,
    );
    expect(JSON.stringify([made, made.message])).not.toMatch(/s3c/);
    expect(made.detail.match(/\[redacted\]/g)).toHaveLength(4);
  });
});

describe("a validation error", () => {
  const violations = [
    { property: "rules[0].deny_with", message: "is wrong" },
    { property: "mode", message: "is wrong, too" },
  ];
  const made = error(400, { error: { message: "Invalid.", violations } });

  it("has violations, also in the message", () => {
    expect(made).toMatchObject({ violations });
    expect(made.message).toSay("answer/parts");
  });

  it("can have its properties renamed", () => {
    if (!(made instanceof ValidationError)) throw made;
    const renamed = made.renamed((property) => property.toUpperCase());
    expect(renamed.violations.map((v) => v.property)).toEqual([
      "RULES[0].DENY_WITH",
      "MODE",
    ]);
    expect(renamed.message).toContain("\n  MODE: is wrong, too.");
    expect(renamed.message).not.toContain("mode");
    expect(renamed).toMatchObject({ status: 400, name: "ValidationError" });
  });
});
