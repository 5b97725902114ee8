import { expect, it } from "vitest";
import { Locks } from "../../../provider/src/session/locks";

const locks = new Locks();

/** Work that goes on until it is told to end. */
function piece(log: string[], name: string) {
  let end: (result: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const work = async () => {
    log.push(`${name} begins`);
    const result = await ended;
    log.push(`${name} ends`);
    return result;
  };
  return { work, end, fail };
}

it("does work of one key in the order in which it came, and answers each its own", async () => {
  const log: string[] = [];
  const [one, two, three] = [
    piece(log, "one"),
    piece(log, "two"),
    piece(log, "three"),
  ];
  const done = [one, two, three].map((p) => locks.hold("key", p.work));
  three.end("3");
  two.end("2");
  one.end("1");
  expect(await Promise.all(done)).toEqual(["1", "2", "3"]);
  expect(log).toEqual([
    "one begins",
    "one ends",
    "two begins",
    "two ends",
    "three begins",
    "three ends",
  ]);
});

it("goes on behind work that failed", async () => {
  const log: string[] = [];
  const [one, two] = [piece(log, "one"), piece(log, "two")];
  const first = locks.hold("key", one.work);
  const second = locks.hold("key", two.work);
  one.fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  two.end("2");
  expect(await second).toBe("2");
});

it("begins work of another key at once", async () => {
  const log: string[] = [];
  const [one, two] = [piece(log, "one"), piece(log, "two")];
  const first = locks.hold("key", one.work);
  two.end("2");
  expect(await locks.hold("other key", two.work)).toBe("2");
  expect(log).toEqual(["one begins", "two begins", "two ends"]);
  one.end("1");
  await first;
});
