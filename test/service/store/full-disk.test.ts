import { Writable } from "node:stream";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { MANAGEMENT_ERRORS } from "../../../service/src/http/answer-error";
import { answerFailure } from "../../../service/src/http/answer-failure";
import { Db } from "../../../service/src/store/db";

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
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    {
      error: {
        code: "internal_error",
        message: expect.toSay("service/full-disk"),
      },
    },
  ]);
  expect(
    db.all<{ name: string }>("SELECT name FROM settings WHERE name <> 'x'"),
  ).toContainEqual({ name: "first" });
  db.close();
  await app.close();
});
