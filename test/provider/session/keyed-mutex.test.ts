import { expect, it } from "vitest";
import { KeyedMutex } from "../../../provider/src/session/keyed-mutex";

const mutex = new KeyedMutex();

/** Work that runs until the test ends it. */
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

it("runs work of one key in order, and returns the result of each", async () => {
  const log: string[] = [];
  const [one, two, three] = [
    piece(log, "one"),
    piece(log, "two"),
    piece(log, "three"),
  ];
  const done = [one, two, three].map((p) => mutex.run("key", p.work));
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

it("starts the next work after failed work", async () => {
  const log: string[] = [];
  const [one, two] = [piece(log, "one"), piece(log, "two")];
  const first = mutex.run("key", one.work);
  const second = mutex.run("key", two.work);
  one.fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  two.end("2");
  expect(await second).toBe("2");
});

it("starts work of another key at once", async () => {
  const log: string[] = [];
  const [one, two] = [piece(log, "one"), piece(log, "two")];
  const first = mutex.run("key", one.work);
  two.end("2");
  expect(await mutex.run("other key", two.work)).toBe("2");
  expect(log).toEqual(["one begins", "two begins", "two ends"]);
  one.end("1");
  await first;
});
