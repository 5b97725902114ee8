import { describe, expect, it } from "vitest";
import { BinaryOutput, resultOf } from "../../../service/agent/agent-result";
import { parseAnswer, parseErrorBody } from "../../../service/agent/wire";
import { IdentificationAnswer } from "../../../service/src/agent/identification-wire";

const SEALED = Buffer.from([0x9e, 0x85, 0xdc, 0xed, 0, 255]);
const FULL = {
  event_id: "e",
  visitor_id: "",
  suspect_score: 0,
  storage_id: "s",
  sealed_result: SEALED.toString("base64"),
};

describe("parseAnswer", () => {
  // contract: agent-49
  it("reads every answer that the service can give, and ignores unknown fields", () => {
    expect(Object.keys(IdentificationAnswer.shape)).toEqual(Object.keys(FULL));
    expect(IdentificationAnswer.parse(FULL)).toEqual(FULL);
    expect(parseAnswer({ ...FULL, added: 1 })).toEqual(FULL);
    const least = { event_id: "e", storage_id: "s" };
    expect(parseAnswer(least)).toEqual(least);
  });

  it.each([
    undefined,
    null,
    "text",
    [],
    { storage_id: "s" },
    { event_id: "e" },
    { ...FULL, event_id: 7 },
    { ...FULL, storage_id: null },
    { ...FULL, visitor_id: 7 },
    { ...FULL, suspect_score: "7" },
    { ...FULL, sealed_result: 7 },
    { ...FULL, sealed_result: "no base64!" },
    { ...FULL, sealed_result: "abc" },
  ])("returns undefined for %j", (value) => {
    expect(parseAnswer(value)).toBeUndefined();
  });
});

describe("parseErrorBody", () => {
  it("reads an error, with its event ID if it has one", () => {
    const error = { code: "failed", message: "m" };
    expect(parseErrorBody({ error })).toEqual({ error });
    expect(parseErrorBody({ error, event_id: "e", added: 1 })).toEqual({
      error,
      event_id: "e",
    });
  });

  it.each([
    null,
    {},
    { error: "m" },
    { error: { code: "c" } },
    { error: null },
  ])("returns undefined for %j", (value) => {
    expect(parseErrorBody(value)).toBeUndefined();
  });
});

describe("resultOf", () => {
  it("has the fields of the answer, without the storage ID", () => {
    const { sealed_result, ...rest } = resultOf(FULL);
    expect(rest).toEqual({ event_id: "e", visitor_id: "", suspect_score: 0 });
    expect(sealed_result?.base64()).toBe(FULL.sealed_result);
  });

  // contract: agent-36, agent-37
  it("always has sealed_result, but cache_hit only with a cache", () => {
    const least = { event_id: "e", storage_id: "s" };
    expect(resultOf(least)).toStrictEqual({
      event_id: "e",
      sealed_result: null,
    });
    expect(resultOf(least, false)).toHaveProperty("cache_hit", false);
    expect(resultOf(least, true)).toHaveProperty("cache_hit", true);
  });
});

describe("BinaryOutput", () => {
  const output = new BinaryOutput(FULL.sealed_result);

  // contract: agent-38, agent-39
  it("returns its bytes in each form", async () => {
    expect(output.base64()).toBe(FULL.sealed_result);
    expect([...output.byteArray()]).toEqual([...SEALED]);
    expect([...new Uint8Array(await output.blob().arrayBuffer())]).toEqual([
      ...SEALED,
    ]);
    expect(`${String(output)}`).toBe(FULL.sealed_result);
    expect(JSON.stringify({ output })).toBe(
      `{"output":"${FULL.sealed_result}"}`,
    );
  });

  it("converts to base64 where JavaScript needs a primitive value", () => {
    const convert: unknown = Reflect.get(output, Symbol.toPrimitive);
    expect(convert).toBeTypeOf("function");
    for (const hint of ["string", "number", "default"])
      expect((convert as (hint: string) => unknown).call(output, hint)).toBe(
        FULL.sealed_result,
      );
  });

  it("returns a new copy each time", () => {
    output.byteArray().fill(0);
    expect([...output.byteArray()]).toEqual([...SEALED]);
  });
});
