import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { describe, expect, it } from "vitest";
import {
  StatusError,
  toStatus,
} from "../../../../provider/src/adapters/plugin/answer";
import { toFailure } from "../../../../provider/src/adapters/plugin/resource-calls";
import { toHostError } from "../../../../provider/src/adapters/dynamic/host-error";
import { IncompleteError } from "../../../../provider/src/definition/errors";
import { Secret } from "../../../../provider/src/definition/value";
import { plain } from "../../../helpers/protocol-provider";
import { secret } from "../../../helpers/plugin-host";

const asItIs = (text: string) => text;
const withoutKey = (text: string) => text.replaceAll("a-key", "[redacted]");
const UNKNOWN = 2;

describe("the status of a failed call", () => {
  it("has the message without secrets, and the code of a StatusError", () => {
    expect(toStatus(new Error("no a-key"), withoutKey)).toEqual({
      code: UNKNOWN,
      details: "no [redacted]",
    });
    expect(toStatus(new StatusError(12, "none"), asItIs).code).toBe(12);
    expect(toStatus("thrown", asItIs).details).toBe("thrown");
  });

  it("has a message in which nothing acts on a terminal or on the log of a CI job", () => {
    const hostile = "a\u001b]0;t\u0007\n::stop-commands::b\u202e\nc";
    const shown = "a\\u001b]0;t\\u0007\n\\u003a:stop-commands::b\\u202e\nc";
    expect(toStatus(new Error(hostile), asItIs).details).toBe(shown);
    expect(toHostError(new Error(hostile), {}).message).toBe(shown);
    const failure = { property: "", reason: hostile };
    expect(toFailure(failure, {}, []).getReason()).toBe(shown);
  });

  it("has a message of limited length, however long the error's message is", () => {
    const { details } = toStatus(new Error("x".repeat(100_000)), asItIs);
    expect(details).toMatch(/^x{10000}\.\.\. \(cut\)$/);
  });

  it.each([
    ["with half a surrogate pair", "bad \ud83d text"],
    [
      "that is cut within a surrogate pair",
      `x${"\ud83d\ude00".repeat(10_000)}`,
    ],
  ])("has a message %s in a form that gRPC can send", (_, message) => {
    const { details = "" } = toStatus(new Error(message), asItIs);
    expect(() => encodeURI(details)).not.toThrow();
  });

  it("carries the state of an object that was created but not finished", () => {
    const outputs = { name: "Shop", token: new Secret("a-token") };
    const cause = new Error("not with a-key");
    const { details, metadata } = toStatus(
      new IncompleteError("tok_1", outputs, cause),
      withoutKey,
    );
    expect(details).toBe("not with [redacted]");
    const [packed] = metadata?.get("grpc-status-details-bin") ?? [];
    const failed = Status.deserializeBinary(packed as Buffer)
      .getDetailsList()[0]
      ?.unpack(
        (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
        "pulumirpc.ErrorResourceInitFailed",
      );
    expect(failed?.getId()).toBe("tok_1");
    expect(failed?.getReasonsList()).toEqual(["not with [redacted]"]);
    expect(plain(failed?.getProperties())).toEqual({
      name: "Shop",
      token: secret("a-token"),
    });
  });

  it("leaves out a state that is too large to send, and says what to do", () => {
    const rules = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`rule ${n}`, "x".repeat(200)]),
    );
    const error = new IncompleteError("ae_1", { rules }, new Error("cut off"));
    const { details, metadata } = toStatus(error, asItIs);
    expect(metadata).toBeUndefined();
    expect(details).toMatch(
      /^cut off\nThe new state is too large.*pulumi refresh/,
    );
  });
});
