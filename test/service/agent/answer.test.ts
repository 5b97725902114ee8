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
const LEAST = { event_id: "e", storage_id: "s" };

describe("an answer", () => {
  // contract: agent-49
  it("is read in every form that the service can give, without unknown members", () => {
    expect(Object.keys(IdentificationAnswer.shape)).toEqual(Object.keys(FULL));
    expect(IdentificationAnswer.parse(FULL)).toEqual(FULL);
    expect(parseAnswer({ ...FULL, added: 1 })).toEqual(FULL);
    expect(parseAnswer(LEAST)).toEqual(LEAST);
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
  ])("is not %j", (value) => {
    expect(parseAnswer(value)).toBeUndefined();
  });

  // contract: agent-36, agent-37
  it("gives a result without the storage ID, with cache_hit only for a cache", () => {
    const { sealed_result, ...rest } = resultOf(FULL);
    expect(rest).toEqual({ event_id: "e", visitor_id: "", suspect_score: 0 });
    expect(sealed_result?.base64()).toBe(FULL.sealed_result);
    const least = { event_id: "e", sealed_result: null };
    expect(resultOf(LEAST)).toStrictEqual(least);
    expect(resultOf(LEAST, true)).toEqual({ ...least, cache_hit: true });
  });

  // contract: agent-38, agent-39
  it("gives the bytes of a sealed result in each form, and a new copy each time", async () => {
    const output = new BinaryOutput(FULL.sealed_result);
    output.byteArray().fill(0);
    expect([...output.byteArray()]).toEqual([...SEALED]);
    const blob = await output.blob().arrayBuffer();
    expect([...new Uint8Array(blob)]).toEqual([...SEALED]);
    const convert = Reflect.get(output, Symbol.toPrimitive) as () => unknown;
    const texts = [output.base64(), output.toString(), output.toJSON()];
    for (const text of [...texts, convert.call(output)])
      expect(text).toBe(FULL.sealed_result);
  });
});

const error = { code: "failed", message: "m" };
it.each([
  [{ error }, { error }],
  [
    { error, event_id: "e", added: 1 },
    { error, event_id: "e" },
  ],
  [null, undefined],
  [{}, undefined],
  [{ error: "m" }, undefined],
  [{ error: { code: "c" } }, undefined],
])("an error of the service %j is read as %j", (value, read) => {
  expect(parseErrorBody(value)).toEqual(read);
});
