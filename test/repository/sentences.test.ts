import { expect, it } from "vitest";
import { lineWith, readSentences, writeSentences } from "../helpers/sentences";
import { FILES } from "../helpers/sources";
import { textOf } from "../helpers/repository";

it("every recorded sentence is asked for by a test", () => {
  const asked = new Set(
    FILES.filter((path) => /^test\/.*\.ts$/.test(path)).flatMap((path) =>
      [...textOf(path).matchAll(/"([\w-]+\/[\w-]+)"/g)].map(([, id]) => id),
    ),
  );
  const used = [...readSentences()].filter(([id]) => asked.has(id));
  if (process.env.UPDATE_GOLDEN === "1") writeSentences(new Map(used));
  expect([...readSentences().keys()]).toEqual(used.map(([id]) => id));
});

it("another sentence, a sentence without its fact, and silence are failures", () => {
  const [[id = "", said = ""] = []] = readSentences();
  const failing = (received: unknown, facts?: Record<string, string>) =>
    expect(() => expect(received).toSay(id, facts)).toThrow(id);
  expect(said).toSay(id);
  // With UPDATE_GOLDEN=1, another sentence would be written.
  if (process.env.UPDATE_GOLDEN !== "1") failing(`${said} Or not.`);
  failing(said, { fact: "that it does not have" });
  failing(() => {});
  failing("");
  failing(lineWith("words that it does not have", said));
});

it("what a command prints, a line of a text, and a part of a value are sentences, too", () => {
  const [[id = "", said = ""] = []] = readSentences();
  expect(`devid: ${said}\n`).toSay(id);
  const [line = ""] = said.split("\n");
  expect(lineWith(line, `Before.\n${line}\nAfter.`)).toBe(line);
  expect({ code: 1, said }).toEqual({ code: 1, said: expect.toSay(id) });
  if (process.env.UPDATE_GOLDEN !== "1")
    expect({ said: `${said} Or not.` }).not.toEqual({ said: expect.toSay(id) });
});
