import { join } from "node:path";
import { Writable } from "node:stream";
import Fastify from "fastify";
import { startService } from "../../../service/src/start-service";
import { expect, it, vi } from "vitest";
import { MANAGEMENT_ERRORS } from "../../../service/src/http/answer-error";
import { answerFailure } from "../../../service/src/http/answer-failure";
import { Db } from "../../../service/src/store/db";
import { Deliveries } from "../../../service/src/store/deliveries";
import { folderForEachTest } from "../../helpers/test-folder";

let file: string;
folderForEachTest((path) => (file = join(path, "devid.db")));

it("a full disk is reported to the caller, and loses nothing that was stored", async () => {
  const db = Db.open(":memory:");
  const store = (value: string) =>
    db.tx(() =>
      db.run("INSERT INTO settings (name, value) VALUES (?, ?)", value, value),
    );
  store("first");
  // The database may not grow any more, as on a full disk.
  db.get("PRAGMA max_page_count = 1");
  const app = Fastify({
    logger: { stream: new Writable({ write: (_c, _e, next) => next() }) },
  });
  app.setErrorHandler((error, _request, reply) =>
    answerFailure(error, reply, MANAGEMENT_ERRORS),
  );
  app.post("/", () => store("x".repeat(1_000_000)));
  const answer = await app.inject({ method: "POST", url: "/" });
  expect(answer.statusCode).toBe(500);
  const message = expect.toSay("service/full-disk");
  expect(answer.json()).toEqual({ error: { code: "internal_error", message } });
  const stored = db.all<{ name: string }>("SELECT name FROM settings");
  expect(stored).toContainEqual({ name: "first" });
  db.close();
  await app.close();
});

it.each([
  ["a write", { errcode: 13 }],
  ["the memory beside a log", { errcode: 4_874 }],
])("a start where %s finds no space says so", async (_what, code) => {
  const failing = vi.spyOn(Db.prototype, "tx").mockImplementation(() => {
    throw Object.assign(new Error("database or disk is full"), code);
  });
  const start = startService({ port: 0, logLevel: "silent" });
  await expect(start).rejects.toThrow(/^Data file .* its disk is full/);
  failing.mockRestore();
});

it("a log beside the data file that may not be written is no damage", async () => {
  const failing = vi.spyOn(Db.prototype, "tx").mockImplementation(() => {
    const message = "attempt to write a readonly database";
    throw Object.assign(new Error(message), { errcode: 8 });
  });
  const start = startService({ logLevel: "silent", data: file });
  await expect(start).rejects.toThrow(
    /beside it .* may not be read and written/,
  );
  failing.mockRestore();
});

it("a start that cannot write the deliveries under way says so, and releases the file", async () => {
  const failing = vi
    .spyOn(Deliveries.prototype, "underWay")
    .mockImplementation(() => {
      throw Object.assign(new Error("database or disk is full"), {
        errcode: 13,
      });
    });
  const options = { port: 0, logLevel: "silent", data: file } as const;
  await expect(startService(options)).rejects.toThrow("its disk is full");
  failing.mockRestore();
  await (await startService(options)).close();
});
